// G^T lambda coordinate by coordinate: each is one sum over the rows that touch it, in their order, and written once.
#pragma once

#include <libration/scalar/tuned.hpp>
#include <libration/system/system.hpp>

namespace libration {

class TransposedProduct {
  public:
    TransposedProduct() = default;
    TransposedProduct(const SparsePattern& pattern, std::size_t dimension);

    // y = G^T lambda
    template <class S>
    void apply(std::span<const S> G, std::span<const S> lambda, std::span<S> y) const {
        tuned<S>([&]() LIBRATION_TUNED {
            for (std::size_t j = 0; j < y.size(); ++j) {
                y[j] = sum<S>(j, G.data(), lambda.data());
            }
        });
    }

    // (G^T lambda)_j
    template <class S>
    [[nodiscard]] LIBRATION_INLINE S sum(std::size_t j, const S* G, const S* lambda) const {
        const Touch* touch = touches_.data() + start_[j];
        const Touch* end = touches_.data() + start_[j + 1];
        if (touch == end) {
            return lit<S>(0);
        }
        S sum = G[touch->entry] * lambda[touch->row];
        for (++touch; touch != end; ++touch) {
            sum = mad(G[touch->entry], lambda[touch->row], sum);
        }
        return sum;
    }

  private:
    struct Touch {
        std::uint32_t entry, row;
    };
    std::vector<std::uint32_t> start_{0};
    std::vector<Touch> touches_;  // of each coordinate, by rows
};

}  // namespace libration
