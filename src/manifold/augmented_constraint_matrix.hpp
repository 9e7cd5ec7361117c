// G M^-1 G^T of an augmented system (model/augmented.hpp): its G is [[G, 0], [0, I]] and its M is [[M, G^T], [G, 0]],
// so that
//
//     A = [[0, I], [I, Y]],     Y the last block of M^-1,
//
// and A (x, y) = (a, b) is solved by y = a, x = b - Y a. Nothing is eliminated; whether G has full rank is seen from
// the factor of M.
#pragma once

#include "constraint_matrix.hpp"

namespace libration {

template <class S>
class AugmentedConstraintMatrix final : public ConstraintMatrix<S> {
  public:
    explicit AugmentedConstraintMatrix(const System<S>& system)
        : rows_(system.properties().added), column_(system.dimension(), lit<S>(0)), pivots_(column_) {}

    // Y, then the smallest pivot.
    [[nodiscard]] std::size_t entries() const override { return rows_ * rows_ + 1; }

    void assemble(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p, std::span<const S>,
                  std::span<S> values) override {
        const std::size_t d = system.dimension() - rows_;
        for (std::size_t k = 0; k < rows_; ++k) {
            std::ranges::fill(column_, lit<S>(0));
            column_[d + k] = lit<S>(1);
            system.solve_mass(t, q, p, column_, column_);
            for (std::size_t i = 0; i < rows_; ++i) {
                values[i * rows_ + k] = column_[d + i];
            }
        }
        system.mass_pivots(t, q, pivots_);
        Real<S> least = real_part(pivots_[0]);
        for (const auto& pivot : pivots_) {
            // One that is not a number stays.
            least = select(less(least, real_part(pivot)), least, real_part(pivot)) + (least - least);
        }
        values[rows_ * rows_] = from_real<S>(least);
    }
    Real<S> factor(std::span<S> values) const override { return real_part(values[rows_ * rows_]); }
    void solve(std::span<const S> values, std::span<S> x) const override {
        for (std::size_t i = 0; i < rows_; ++i) {
            const S a = x[i];
            x[i] = x[rows_ + i];
            x[rows_ + i] = a;
        }
        for (std::size_t i = 0; i < rows_; ++i) {
            for (std::size_t k = 0; k < rows_; ++k) {
                x[i] = mad(S(-values[i * rows_ + k]), x[rows_ + k], x[i]);
            }
        }
    }

  private:
    std::size_t rows_;
    std::vector<S> column_, pivots_;
};

}  // namespace libration
