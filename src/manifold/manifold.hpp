// The manifold {g = 0, G H_p + g_t = 0, k = 0}, where k are nonholonomic constraints: residuals, multipliers,
// projection. Works on any system; owns its scratch space.
#pragma once

#include "constraint_matrix.hpp"
#include "reaction_solver.hpp"
#include "solve.hpp"
#include "system/applied_forces.hpp"
#include <libration/kit/compensated.hpp>
#include <libration/kit/scalars.hpp>
#include <libration/kit/sparse_product.hpp>

namespace libration {

template <class S>
class Manifold {
  public:
    explicit Manifold(System<S>& system)
        : system_(&system), matrix_(constraint_matrix(system)), G_(system.pattern().entries(), lit<S>(0)),
          factored_(matrix_->entries(), lit<S>(0)), rows_(system.constraints(), lit<S>(0)),
          rounding_(system.constraints(), lit<S>(0)), floor_(system.constraints(), lit<S>(0)),
          v_(system.dimension(), lit<S>(0)), f_(system.dimension(), lit<S>(0)) {}

    // G H_p + g_t, and k if there are rows for it
    void hidden_residual(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> all_rows) {
        if (all_rows.empty()) {
            return;
        }
        system_->velocity(t, q, p, v_);
        hidden_residual_of(t, q, v_, all_rows);
    }
    // The same of a velocity v = H_p.
    void hidden_residual_of(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> all_rows) {
        const auto rows = all_rows.first(rows_.size());
        if (all_rows.size() > rows.size()) {
            system_->velocity_constraints()->values(t, q, v, all_rows.subspan(rows.size()));
        }
        if (rows.empty()) {
            return;
        }
        system_->jacobian(t, q, G_);
        apply_jacobian<S>(system_->pattern(), G_, v, rows);
        system_->constraint_rate(t, q, rows_);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i] = rows[i] + rows_[i];
        }
    }

    // The multipliers of the exact solution through (q, p): A lambda = G_q(v,v) + ... + G (H_pq v + H_pp (f - H_q) +
    // H_pt), f the non-Hamiltonian forces. Returns the smallest pivot of A. [Jay 1996, (3.1f)] Where f contains lambda
    // itself: of G M^-1 (G^T - f_lambda), which must be regular. [Jay 1998, (9)] 0 if no solution was found.
    Real<S> multipliers(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> lambda) {
        if (lambda.empty()) {
            return lit<Real<S>>(1);
        }
        if constexpr (OneTrajectory<S>) {
            if (system_->velocity_constraints() != nullptr) {
                return reactions().solve(t, q, p, lambda);
            }
        }
        system_->force_gradient(t, q, p, f_);
        for (auto& force : f_) {
            force = -force;
        }
        system_->velocity(t, q, p, v_);
        if (auto* forces = system_->forces()) {
            if constexpr (OneTrajectory<S>) {
                if (forces->depend_on_multipliers()) {
                    return reactions().solve(t, q, p, lambda);
                }
            }
            forces->add_to(t, q, v_, lambda, f_);
        }
        system_->curvature(t, q, v_, lambda);
        system_->velocity_rate(t, q, p, v_, f_, f_);
        system_->jacobian(t, q, G_);
        apply_jacobian<S>(system_->pattern(), G_, f_, rows_);
        for (std::size_t i = 0; i < lambda.size(); ++i) {
            lambda[i] = lambda[i] + rows_[i];
        }
        matrix_->assemble(*system_, t, q, p, G_, factored_);
        const auto pivot = matrix_->factor(factored_);
        matrix_->solve(factored_, lambda);
        return pivot;
    }

    // Moves q to g = 0 by q - M^-1 G^T mu, the nearest point in the mass metric to first order; true if round-off was
    // reached. M^-1 = H_pp at p, which may be empty where H is separable.
    Real<S> project_position(const S& t, std::span<S> q, std::span<const S> p) {
        if (rows_.empty()) {
            return lit<Real<S>>(1);
        }
        const std::size_t d = q.size();
        const auto& pattern = system_->pattern();
        const std::vector<S> entry(q.begin(), q.end());
        std::vector<S> sizes(d, lit<S>(0)), moved(d, lit<S>(0)), correction(d, lit<S>(0));
        std::vector<S> residual(rows_.size(), lit<S>(0));
        const auto report =
            iterate(IterationControl{}, q, std::span<S>(correction), [&](std::span<const S> x, std::span<S> dx) {
                system_->constraint(t, x, rows_);
                system_->jacobian(t, x, G_, rounding_);
                std::ranges::copy(rows_, residual.begin());
                matrix_->assemble(*system_, t, x, p, G_, factored_);
                matrix_->factor(factored_);
                for (auto& row : rows_) {
                    row = -row;
                }
                matrix_->solve(factored_, rows_);
                std::ranges::fill(dx, lit<S>(0));
                add_transposed<S>(pattern, G_, rows_, dx);
                system_->solve_mass(t, x, p, dx, dx);
                // What enters x: where it started, where it is, where it goes, and the terms of all corrections, even
                // if they cancel.
                system_->solve_mass(t, x, p, moved, sizes);
                const S least = least_size<S>(sizes);
                for (std::size_t j = 0; j < d; ++j) {
                    sizes[j] = larger_parts(magnitude(sizes[j]), least) +
                               (magnitude(entry[j]) + magnitude(x[j]) + magnitude(dx[j]));
                }
                constraint_floors<S>(pattern, G_, sizes, rounding_, floor_);
                add_transposed_sizes<S>(pattern, G_, rows_, moved);
                return largest_in_floors<S>(residual, floor_);
            });
        return report.converged;
    }

    // Moves a position that is on the manifold within its rounding the rest of the way, by what its low part can hold:
    // far from the origin the last digit of q is large against the constraint. Two rounds, because the first may be
    // more than rounding. Returns what is left, in floors.
    Real<S> refine_position(const S& t, std::span<S> q, std::span<S> q_low, std::span<const S> p) {
        Real<S> floors = lit<Real<S>>(0);
        for (int round = 0; round < 2 && !rows_.empty(); ++round) {
            const std::size_t d = q.size();
            const auto& pattern = system_->pattern();
            system_->jacobian(t, q, G_, rounding_);
            matrix_->assemble(*system_, t, q, p, G_, factored_);
            matrix_->factor(factored_);
            std::vector<S> sizes(d, lit<S>(0)), correction(d, lit<S>(0));
            const auto pass = [&](std::span<const S> x, std::span<S> dx) {
                system_->constraint(t, q, x, rows_);
                const S least = least_size<S>(x);
                for (std::size_t j = 0; j < d; ++j) {
                    sizes[j] = larger_parts(magnitude(x[j]), least) + from_real<S>(epsilon<S>()) * magnitude(q[j]);
                    dx[j] = lit<S>(0);
                }
                constraint_floors<S>(pattern, G_, sizes, rounding_, floor_);
                const Real<S> worst = largest_in_floors<S>(rows_, floor_);
                for (auto& row : rows_) {
                    row = -row;
                }
                matrix_->solve(factored_, rows_);
                add_transposed<S>(pattern, G_, rows_, dx);
                system_->solve_mass(t, q, p, dx, dx);
                return worst;
            };
            floors = iterate(IterationControl{}, q_low, std::span<S>(correction), pass).residual;
            for (std::size_t j = 0; j < d; ++j) {
                const auto sum = add(q[j], q_low[j], lit<S>(0));
                q[j] = sum.high;
                q_low[j] = sum.low;
            }
        }
        return floors;
    }

    // p - G^T mu with G H_p + g_t = 0; with nonholonomic constraints p - G^T mu - k_v^T nu with k = 0 besides. For
    // separable H one solve is exact; otherwise the factorisation at the given p serves a fixed number of passes, each
    // of which gains at least a digit near the manifold.
    void project_momentum(const S& t, std::span<const S> q, std::span<S> p) {
        if constexpr (OneTrajectory<S>) {
            if (system_->velocity_constraints() != nullptr) {
                reactions().project_momentum(t, q, p);
                return;
            }
        }
        if (rows_.empty()) {
            return;
        }
        std::vector<S> mu(rows_.size(), lit<S>(0));
        const int passes = system_->properties().separable ? 1 : 40;
        for (int pass = 0; pass < passes; ++pass) {
            hidden_residual(t, q, p, mu);
            if (pass == 0) {
                matrix_->assemble(*system_, t, q, p, G_, factored_);
                matrix_->factor(factored_);
            }
            matrix_->solve(factored_, mu);
            for (auto& value : mu) {
                value = -value;
            }
            add_transposed<S>(system_->pattern(), G_, mu, p);
        }
    }

  private:
    ReactionSolver<S>& reactions() requires OneTrajectory<S> {
        if (!reactions_) {
            reactions_ = std::make_shared<ReactionSolver<S>>(*system_);
        }
        return *reactions_;
    }

    System<S>* system_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    std::shared_ptr<ReactionSolver<S>> reactions_;  // made where it is needed first
    std::vector<S> G_, factored_, rows_, rounding_, floor_, v_, f_;
};

// Compiled once, in src/manifold/manifold.cpp.
#define LIBRATION_EXTERN(scalar) extern template class Manifold<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
