// L D L^T of a sparse symmetric positive definite matrix, column after column: a finished column is subtracted at once
// from the columns to its right, at places that were found beforehand. For little fill: a column with c entries below
// the diagonal stores c (c + 1) / 2 places. In place, no pivot search, no allocation; a link of a chain costs one
// update.
//
// Chains are bound by the time that a link waits for its neighbour, so strands of them are worked on side by side.
#pragma once

#include "elimination.hpp"
#include <libration/kit/tuned.hpp>

#include <array>

namespace libration {

class SparseLdl {
  public:
    SparseLdl() = default;
    explicit SparseLdl(Elimination elimination);

    [[nodiscard]] const Elimination& elimination() const { return elimination_; }
    [[nodiscard]] std::size_t places() const { return elimination_.places(); }

    // On entry `a` is the matrix, zero where only the factor has entries, and `diagonal` its diagonal by columns; on
    // return L below the diagonal and 1/D on it. Returns the smallest D_i / A_ii: the squared sine of the angle between
    // a row and those before it, a measure of rank without units; some negative number where a pivot is negative.
    template <class S>
    Real<S> factor(std::span<S> a, std::span<const S> diagonal) const {
        std::array<Verdict<S>, most_strands> verdict;
        tuned<S>([&]() LIBRATION_TUNED {
            for (const auto& part : parts_) {
                switch (part.strands) {
                    case 1: factor_strands<1, S>(part, a.data(), diagonal.data(), verdict); break;
                    case 2: factor_strands<2, S>(part, a.data(), diagonal.data(), verdict); break;
                    case 4: factor_strands<4, S>(part, a.data(), diagonal.data(), verdict); break;
                    default: factor_columns<S>(part, a.data(), diagonal.data(), verdict[0]);
                }
            }
        });
        using R = Real<S>;
        auto all = verdict[0];
        for (std::size_t w = 1; w < most_strands; ++w) {
            all.largest = maxv(all.largest, verdict[w].largest);
            all.smallest = minv(all.smallest, verdict[w].smallest);
            all.poison = all.poison + verdict[w].poison;
        }
        return lit<R>(1) / select(less(all.smallest, lit<R>(0)), all.smallest, all.largest) + all.poison;
    }

    // x = A^-1 x with the factored values.
    template <class S>
    void solve(std::span<const S> a, std::span<S> x) const {
        tuned<S>([&]() LIBRATION_TUNED {
            for (const auto& part : parts_) {
                switch (part.strands) {
                    case 1: eliminate_strands<1, S>(part, a.data(), x.data()); break;
                    case 2: eliminate_strands<2, S>(part, a.data(), x.data()); break;
                    case 4: eliminate_strands<4, S>(part, a.data(), x.data()); break;
                    default: eliminate_columns<S>(part, a.data(), x.data());
                }
            }
            for (std::size_t n = parts_.size(); n-- > 0;) {
                const auto& part = parts_[n];
                switch (part.strands) {
                    case 1: substitute_strands<1, S>(part, a.data(), x.data()); break;
                    case 2: substitute_strands<2, S>(part, a.data(), x.data()); break;
                    case 4: substitute_strands<4, S>(part, a.data(), x.data()); break;
                    default: substitute_columns<S>(part, a.data(), x.data());
                }
            }
        });
    }

  private:
    static constexpr std::size_t most_strands = 4;

    // Columns first, ..., end - 1. With strands > 0 each has one entry below the diagonal, in the row that is
    // eliminated so many columns later: strands of links that do not touch, as from both ends of a chain. A link waits
    // for the one before in its strand alone, whose result is still in a register.
    struct Part {
        std::uint32_t first = 0, end = 0, strands = 0, target = 0;  // target: the first of target_
    };

    // The range of A_ii / D_i; a pivot that is not a number must not hide behind a comparison, and poisons for ever.
    // Nothing is divided, and no link of a chain waits for this.
    template <class S>
    struct Verdict {
        using R = Real<S>;
        R largest = lit<R>(1), smallest = lit<R>(1), poison = lit<R>(0);
        LIBRATION_INLINE void judge(const S& inverse_pivot, const S& diagonal) {
            const R ratio = real_part(inverse_pivot) * real_part(diagonal);
            largest = maxv(largest, ratio);
            smallest = minv(smallest, ratio);
            poison = select(equal(ratio, ratio), poison, ratio);
        }
    };

    template <class S>
    LIBRATION_INLINE void factor_columns(const Part& part, S* a, const S* diagonal, Verdict<S>& verdict) const {
        const std::uint32_t* target = target_.data() + part.target;
        const std::uint32_t* start = elimination_.start.data();
        for (std::size_t k = part.first; k < part.end; ++k) {
            const std::uint32_t first = start[k], end = start[k + 1];
            const S pivot = a[first];
            const S inverse = lit<S>(1) / pivot;
            verdict.judge(inverse, diagonal[k]);
            a[first] = inverse;
            if (end - first == 2) {  // a leaf of a tree: no loops
                const S scaled = a[first + 1] * inverse;
                a[*target] = mad(-scaled, a[first + 1], a[*target]);
                a[first + 1] = scaled;
                ++target;
                continue;
            }
            for (std::uint32_t i = first + 1; i < end; ++i) {
                const S scaled = a[i] * inverse, negative = -scaled;
                for (std::uint32_t j = i; j < end; ++j, ++target) {
                    a[*target] = mad(negative, a[j], a[*target]);
                }
                a[i] = scaled;
            }
        }
    }
    // The same with the pivots in registers. From one to the next there is a division and a fused sum.
    template <std::size_t strands, class S>
    LIBRATION_INLINE void factor_strands(const Part& part, S* a, const S* diagonal,
                                         std::array<Verdict<S>, most_strands>& verdict) const {
        S* column = a + elimination_.start[part.first];
        std::array<S, strands> pivot;
        auto found = verdict;
        for (std::size_t w = 0; w < strands; ++w) {
            pivot[w] = column[2 * w];
        }
        for (std::size_t k = part.first; k < part.end; k += strands, column += 2 * strands) {
            for (std::size_t w = 0; w < strands; ++w) {
                const S inverse = lit<S>(1) / pivot[w];
                found[w].judge(inverse, diagonal[k + w]);
                const S link = column[2 * w + 1];
                pivot[w] = mad(-(link * link), inverse, column[2 * (w + strands)]);
                column[2 * w] = inverse;
                column[2 * w + 1] = link * inverse;
            }
        }
        for (std::size_t w = 0; w < strands; ++w) {
            column[2 * w] = pivot[w];
        }
        verdict = found;
    }

    template <class S>
    LIBRATION_INLINE void eliminate_columns(const Part& part, const S* a, S* x) const {
        const std::uint32_t* start = elimination_.start.data();
        const std::uint32_t* row = elimination_.row.data();
        for (std::size_t k = part.first; k < part.end; ++k) {
            const std::uint32_t first = start[k], end = start[k + 1];
            const S value = x[row[first]];
            for (std::uint32_t i = first + 1; i < end; ++i) {
                x[row[i]] = mad(-a[i], value, x[row[i]]);
            }
        }
    }
    template <std::size_t strands, class S>
    LIBRATION_INLINE void eliminate_strands(const Part& part, const S* a, S* x) const {
        const std::size_t begin = elimination_.start[part.first], end = elimination_.start[part.end];
        const std::uint32_t* row = elimination_.row.data();
        std::array<S, strands> value;
        for (std::size_t w = 0; w < strands; ++w) {
            value[w] = x[row[begin + 2 * w]];
        }
        for (std::size_t i = begin; i < end; i += 2 * strands) {
            for (std::size_t w = 0; w < strands; ++w) {
                S& next = x[row[i + 2 * w + 1]];
                value[w] = mad(-a[i + 2 * w + 1], value[w], next);
                next = value[w];
            }
        }
    }

    template <class S>
    LIBRATION_INLINE void substitute_columns(const Part& part, const S* a, S* x) const {
        const std::uint32_t* start = elimination_.start.data();
        const std::uint32_t* row = elimination_.row.data();
        for (std::size_t k = part.end; k-- > part.first;) {
            const std::uint32_t first = start[k], end = start[k + 1];
            S value = x[row[first]] * a[first];
            for (std::uint32_t i = first + 1; i < end; ++i) {
                value = mad(-a[i], x[row[i]], value);
            }
            x[row[first]] = value;
        }
    }
    template <std::size_t strands, class S>
    LIBRATION_INLINE void substitute_strands(const Part& part, const S* a, S* x) const {
        const std::size_t begin = elimination_.start[part.first];
        const std::uint32_t* row = elimination_.row.data();
        std::array<S, strands> value;
        std::size_t i = elimination_.start[part.end];
        for (std::size_t w = 0; w < strands; ++w) {
            value[w] = x[row[i + 2 * w - 2 * strands + 1]];
        }
        while (i > begin) {
            i -= 2 * strands;
            for (std::size_t w = 0; w < strands; ++w) {
                S& own = x[row[i + 2 * w]];
                value[w] = mad(-a[i + 2 * w + 1], value[w], S(own * a[i + 2 * w]));
                own = value[w];
            }
        }
    }

    void find_parts();

    Elimination elimination_;
    std::vector<std::uint32_t>
        target_;  // for each column, for i below the diagonal, for j from i on: the place of (j, i)
    std::vector<Part> parts_;
};

}  // namespace libration
