// The multipliers where forces depend on them: r(lambda) = 0 by Newton's method,
//
//     r = G_q(v, v) + ... + G (velocity rate of f(t, q, v, lambda) - H_q - G^T lambda),    -r_lambda = G M^-1 (G^T - f_lambda).
//
// [Jay 1998, (8e), (9)] Dense, for small systems; it allocates, so steps keep their own multipliers and ask here at nodes only.
#pragma once

#include <libration/manifold/dense_lu.hpp>
#include <libration/manifold/solve.hpp>
#include <libration/manifold/sparse_product.hpp>
#include <libration/system/applied_forces.hpp>

namespace libration {

template <class S>
class ReactionSolver {
  public:
    explicit ReactionSolver(System<S>& system)
        : system_(&system), d_(system.dimension()), m_(system.constraints()), v_(d_, zero()), f_(d_, zero()),
          x_(d_, zero()), sizes_(d_, zero()), G_(system.pattern().entries(), zero()), curvature_(m_, zero()),
          rows_(m_, zero()), column_(m_, zero()), matrix_(m_ * m_, zero()),
          slopes_(system.forces()->slopes().size(), zero()), pivots_(m_) {}

    // Returns the smallest relative pivot at the solution, 0 without one.
    Real<S> solve(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> lambda) {
        system_->velocity(t, q, p, v_);
        system_->jacobian(t, q, G_);
        system_->curvature(t, q, v_, curvature_);
        std::fill(lambda.begin(), lambda.end(), zero());
        Real<S> pivot = lit<Real<S>>(0);
        std::vector<S> correction(m_, zero());
        const auto report = iterate(IterationControl{.correct_last = true}, lambda, std::span<S>(correction),
                                    [&](std::span<const S> x, std::span<S> dx) {
                                        const auto worst = residual(t, q, p, x, dx);
                                        pivot = factor(t, q, p, x);
                                        solve_dense<S>(matrix_, pivots_, dx);
                                        return worst;
                                    });
        return select(equal(report.converged, lit<Real<S>>(1)), pivot, lit<Real<S>>(0));
    }

    // G M^-1 (G^T - f_lambda) at some lambda, factored; returns its smallest relative pivot.
    Real<S> factor(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> lambda) {
        auto& forces = *system_->forces();
        system_->velocity(t, q, p, v_);
        system_->jacobian(t, q, G_);
        forces.slope_values(t, q, v_, lambda, slopes_);
        std::vector<S> unit(m_, zero());
        for (std::size_t j = 0; j < m_; ++j) {
            std::fill(x_.begin(), x_.end(), zero());
            unit[j] = lit<S>(1);
            add_transposed<S>(system_->pattern(), G_, unit, x_);
            unit[j] = zero();
            for (std::size_t k = 0; k < slopes_.size(); ++k) {
                const auto& slope = forces.slopes()[k];
                if (slope.column == 2 * d_ + j) {
                    S& target = x_[forces.components()[slope.component].coordinate];
                    target = target - slopes_[k];
                }
            }
            system_->solve_mass(t, q, p, x_, x_);
            apply_jacobian<S>(system_->pattern(), G_, x_, column_);
            for (std::size_t i = 0; i < m_; ++i) {
                matrix_[i * m_ + j] = column_[i];
            }
        }
        return factor_dense<S>(matrix_, pivots_);
    }

  private:
    static S zero() { return lit<S>(0); }

    // r into `rows`; returns its size in floors, the rounding of its terms.
    Real<S> residual(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> lambda,
                     std::span<S> rows) {
        const auto& pattern = system_->pattern();
        system_->force_gradient(t, q, p, f_);
        for (std::size_t k = 0; k < d_; ++k) {
            sizes_[k] = magnitude(f_[k]);
            f_[k] = -f_[k];
        }
        add_transposed_sizes<S>(pattern, G_, lambda, sizes_);
        system_->forces()->add_to(t, q, v_, lambda, f_);
        for (std::size_t i = 0; i < m_; ++i) {
            rows[i] = -lambda[i];
        }
        add_transposed<S>(pattern, G_, rows, f_);
        for (std::size_t k = 0; k < d_; ++k) {
            sizes_[k] = sizes_[k] + magnitude(f_[k]);
        }
        system_->solve_mass(t, q, p, sizes_, sizes_);
        system_->velocity_rate(t, q, p, v_, f_, f_);
        apply_jacobian<S>(pattern, G_, f_, rows);
        for (std::size_t k = 0; k < d_; ++k) {
            sizes_[k] = magnitude(sizes_[k]) + magnitude(f_[k]);
        }
        constraint_floors<S>(pattern, G_, sizes_, curvature_, rows_);
        for (std::size_t i = 0; i < m_; ++i) {
            rows[i] = rows[i] + curvature_[i];
        }
        return largest_in_floors<S>(rows, rows_);
    }

    System<S>* system_;
    std::size_t d_, m_;
    std::vector<S> v_, f_, x_, sizes_, G_, curvature_, rows_, column_, matrix_, slopes_;
    std::vector<std::size_t> pivots_;
};

}  // namespace libration
