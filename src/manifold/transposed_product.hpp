// G^T lambda coordinate by coordinate: each is one sum over the rows that touch it, in their order, and written once.
//
// Results come in blocks that stay in the first-level cache, so that the loop which uses them needs no array of the
// size of the system.
#pragma once

#include <libration/kit/system.hpp>
#include <libration/kit/tuned.hpp>

#include <algorithm>
#include <array>

namespace libration {

class TransposedProduct {
  public:
    TransposedProduct() = default;
    TransposedProduct(const SparsePattern& pattern, std::size_t dimension);

    // Calls body(first, count, sums) for blocks of coordinates in ascending order, all of them: sums[l] = (G^T
    // lambda)_(first+l). `body` must be LIBRATION_TUNED.
    template <class S, class Body>
    void for_blocks(std::span<const S> G, std::span<const S> lambda, Body body) const {
        tuned<S>([&]() LIBRATION_TUNED { visit<false, S>(G.data(), lambda.data(), body); });
    }
    // The same with |G|^T |lambda|: how large the terms are, even where they cancel.
    template <class S, class Body>
    void for_size_blocks(std::span<const S> G, std::span<const S> lambda, Body body) const {
        tuned<S>([&]() LIBRATION_TUNED { visit<true, S>(G.data(), lambda.data(), body); });
    }

    // y = G^T lambda
    template <class S>
    void apply(std::span<const S> G, std::span<const S> lambda, std::span<S> y) const {
        for_blocks<S>(G, lambda, [to = y.data()](std::size_t first, std::size_t count, const S* sums) LIBRATION_TUNED {
            for (std::size_t l = 0; l < count; ++l) {
                to[first + l] = sums[l];
            }
        });
    }

  private:
    // A whole number of points in the plane and in space. Scalars other than double are heavy, and so are arrays of
    // them.
    template <class S>
    static constexpr std::size_t block = std::is_same_v<S, double> ? 96 : 12;

    struct Touch {
        std::uint32_t entry, row;
    };
    // Coordinates first, ..., end - 1. Either each has its list of touches, or each `run` of them is a point between
    // two links of a chain, with the first component of the first point touched by `before` and `behind`.
    struct Part {
        std::size_t first, end, run;
        Touch before, behind;
    };

    template <bool sizes, class S>
    LIBRATION_INLINE static S part(const S& x) {
        if constexpr (sizes) {
            return magnitude(x);
        } else {
            return x;
        }
    }

    template <bool sizes, class S, class Body>
    LIBRATION_INLINE void visit(const S* G, const S* lambda, Body& body) const {
        std::array<S, block<S>> sums;
        for (const auto& part : parts_) {
            for (std::size_t first = part.first; first < part.end; first += block<S>) {
                const std::size_t count = std::min(block<S>, part.end - first), offset = first - part.first;
                switch (part.run) {
                    case 1: find_links<sizes, 1, S>(part, offset, count, G, lambda, sums.data()); break;
                    case 2: find_links<sizes, 2, S>(part, offset, count, G, lambda, sums.data()); break;
                    case 3: find_links<sizes, 3, S>(part, offset, count, G, lambda, sums.data()); break;
                    default: find_listed<sizes, S>(first, count, G, lambda, sums.data());
                }
                body(first, count, static_cast<const S*>(sums.data()));
            }
        }
    }

    template <bool sizes, std::size_t run, class S>
    LIBRATION_INLINE static void find_links(const Part& links, std::size_t offset, std::size_t count, const S* G,
                                            const S* lambda, S* __restrict sums) {
        const std::size_t point = offset / run;
        const S* before = G + links.before.entry + 2 * offset;
        const S* behind = G + links.behind.entry + 2 * offset;
        const S* pull_before = lambda + links.before.row + point;
        const S* pull_behind = lambda + links.behind.row + point;
        const std::size_t points = count / run;
        // Two points at a time, all of them found before any is written: vector operations.
        std::size_t k = 0;
        for (; k + 2 <= points; k += 2) {
            std::array<S, 2 * run> pair;
            for (std::size_t c = 0; c < 2 * run; ++c) {
                const std::size_t l = k + c / run, e = 2 * run * l + c % run;
                pair[c] = pull<sizes, S>(before[e], pull_before[l], behind[e], pull_behind[l]);
            }
            for (std::size_t c = 0; c < 2 * run; ++c) {
                sums[run * k + c] = pair[c];
            }
        }
        for (std::size_t c = 0; c < run && k < points; ++c) {
            const std::size_t e = 2 * run * k + c;
            sums[run * k + c] = pull<sizes, S>(before[e], pull_before[k], behind[e], pull_behind[k]);
        }
    }
    template <bool sizes, class S>
    LIBRATION_INLINE static S pull(const S& before, const S& pull_before, const S& behind, const S& pull_behind) {
        return mad(part<sizes, S>(behind), part<sizes, S>(pull_behind),
                   S(part<sizes, S>(before) * part<sizes, S>(pull_before)));
    }

    template <bool sizes, class S>
    LIBRATION_INLINE void find_listed(std::size_t first, std::size_t count, const S* G, const S* lambda,
                                      S* sums) const {
        for (std::size_t l = 0; l < count; ++l) {
            const Touch* touch = touches_.data() + start_[first + l];
            const Touch* end = touches_.data() + start_[first + l + 1];
            S sum = lit<S>(0);
            if (touch != end) {
                sum = part<sizes, S>(G[touch->entry]) * part<sizes, S>(lambda[touch->row]);
                for (++touch; touch != end; ++touch) {
                    sum = mad(part<sizes, S>(G[touch->entry]), part<sizes, S>(lambda[touch->row]), sum);
                }
            }
            sums[l] = sum;
        }
    }

    std::vector<Part> parts_;
    std::vector<std::uint32_t> start_{0};
    std::vector<Touch> touches_;  // of each coordinate that stands in a list, by rows
};

}  // namespace libration
