// L D L^T of a sparse symmetric positive definite matrix, column after column: a finished column is subtracted at once from
// the columns to its right, at places that were found beforehand. For little fill: a column with c entries below the diagonal
// stores c (c + 1) / 2 places. In place, no pivot search, no allocation; a link of a chain costs one update.
#pragma once

#include <libration/manifold/elimination.hpp>
#include <libration/scalar/tuned.hpp>

namespace libration {

class SparseLdl {
  public:
    SparseLdl() = default;
    explicit SparseLdl(Elimination elimination);

    [[nodiscard]] const Elimination& elimination() const { return elimination_; }
    [[nodiscard]] std::size_t places() const { return elimination_.places(); }

    // On entry `a` is the matrix, zero where only the factor has entries, and `diagonal` its diagonal by columns; on return L
    // below the diagonal and 1/D on it. Returns the smallest D_i / A_ii: the squared sine of the angle between a row and
    // those before it, a measure of rank without units.
    template <class S>
    Real<S> factor(std::span<S> a, std::span<const S> diagonal) const {
        Real<S> smallest = lit<Real<S>>(1);
        tuned<S>([&]() LIBRATION_TUNED {
            const std::uint32_t* target = target_.data();
            const std::uint32_t* start = elimination_.start.data();
            const std::size_t columns = elimination_.columns();
            for (std::size_t k = 0; k < columns; ++k) {
                const std::uint32_t first = start[k], end = start[k + 1];
                const S pivot = a[first];
                const S inverse = lit<S>(1) / pivot;
                // A pivot that is not a number must not hide behind a comparison: once met, it stays.
                const Real<S> ratio = real_part(pivot) / real_part(diagonal[k]);
                smallest = select(less(smallest, ratio), smallest, ratio) + (smallest - smallest);
                a[first] = inverse;
                if (end - first == 2) {  // a link of a chain, a leaf of a tree: no loops
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
        });
        return smallest;
    }

    // x = A^-1 x with the factored values.
    template <class S>
    void solve(std::span<const S> a, std::span<S> x) const {
        tuned<S>([&]() LIBRATION_TUNED {
            const std::uint32_t* start = elimination_.start.data();
            const std::uint32_t* row = elimination_.row.data();
            const std::size_t columns = elimination_.columns();
            for (std::size_t k = 0; k < columns; ++k) {
                const std::uint32_t first = start[k], end = start[k + 1];
                const S value = x[row[first]];
                if (end - first == 2) {
                    S& next = x[row[first + 1]];
                    next = mad(-a[first + 1], value, next);
                    continue;
                }
                for (std::uint32_t i = first + 1; i < end; ++i) {
                    x[row[i]] = mad(-a[i], value, x[row[i]]);
                }
            }
            for (std::size_t k = columns; k-- > 0;) {
                const std::uint32_t first = start[k], end = start[k + 1];
                S value = x[row[first]] * a[first];
                if (end - first == 2) {
                    x[row[first]] = mad(-a[first + 1], x[row[first + 1]], value);
                    continue;
                }
                for (std::uint32_t i = first + 1; i < end; ++i) {
                    value = mad(-a[i], x[row[i]], value);
                }
                x[row[first]] = value;
            }
        });
    }

  private:
    Elimination elimination_;
    std::vector<std::uint32_t>
        target_;  // for each column, for i below the diagonal, for j from i on: the place of (j, i)
};

}  // namespace libration
