// A kick by the reaction at the end of the drift, for implicit multistep methods:
//
//     p1 = p - k (U_q(q1) + G(q1)^T lambda),      q1 = q + h M^-1 p1,      0 = g(q1)
//
// Unknowns are the reaction R = U_q + G^T lambda and lambda. The simplified Newton iteration knows G and the factored A
// of the position before, and leaves U_qq to the fixed point: it contracts like h k U_qq.
#pragma once

#include "manifold/constraint_matrix.hpp"
#include "manifold/solve.hpp"
#include <libration/kit/state.hpp>

namespace libration {

template <class S>
class ImplicitKick {
  public:
    ImplicitKick(System<S>& system, const ConstraintMatrix<S>& matrix)
        : system_(&system), matrix_(&matrix), unknowns_(system.dimension() + system.constraints(), lit<S>(0)),
          correction_(unknowns_), floor_(unknowns_), w_(system.dimension(), lit<S>(0)), v_(w_),
          rows_(system.constraints(), lit<S>(0)) {}

    // `reaction` and `lambda` hold predictions on entry and the solution on return. `factored` is A of the position
    // before; at_q1 receives force, G and the rounding sizes of g at q1.
    IterationReport<Real<S>> run(const S& t1, const PairVector<S>& q, const PairVector<S>& p,
                                 std::span<const S> factored, const S& kick, const S& h, std::span<S> reaction,
                                 std::span<S> lambda, PairVector<S>& p1, PairVector<S>& q1, PositionData<S>& at_q1,
                                 Evaluations<S>& evaluations) {
        const std::size_t d = w_.size(), m = rows_.size();
        std::copy(reaction.begin(), reaction.end(), unknowns_.begin());
        std::copy(lambda.begin(), lambda.end(), unknowns_.begin() + static_cast<std::ptrdiff_t>(d));
        const auto report = iterate({.correct_last = true}, std::span<S>(unknowns_), std::span<S>(correction_),
                                    [&](std::span<const S> x, std::span<S> dx) {
                                        move(t1, q, p, kick, h, x, p1, q1);
                                        return pass(t1, factored, p, kick, h, x, dx, q1, p1, at_q1);
                                    });
        move(t1, q, p, kick, h, unknowns_, p1, q1);
        std::copy(unknowns_.begin(), unknowns_.begin() + static_cast<std::ptrdiff_t>(d), reaction.begin());
        std::copy(unknowns_.begin() + static_cast<std::ptrdiff_t>(d), unknowns_.end(), lambda.begin());
        const S passes = from_real<S>(report.passes);
        evaluations.add(Evaluations<S>::force, passes);
        evaluations.add(Evaluations<S>::newton_iterations, passes);
        if (m > 0) {
            evaluations.add(Evaluations<S>::constraint, passes);
            evaluations.add(Evaluations<S>::jacobian, passes);
        }
        return report;
    }

  private:
    void move(const S& t1, const PairVector<S>& q, const PairVector<S>& p, const S& kick, const S& h,
              std::span<const S> x, PairVector<S>& p1, PairVector<S>& q1) {
        add_scaled<S>(p, S(-kick), x.first(w_.size()), p1);
        system_->velocity(t1, q.high, p1.high, v_);
        add_scaled<S>(q, h, v_, q1);
    }

    // With r = U_q + G^T lambda - R:   A dlambda = g / (h k) - G M^-1 r,   dR = r + G^T dlambda.
    Real<S> pass(const S& t1, std::span<const S> factored, const PairVector<S>& p, const S& kick, const S& h,
                 std::span<const S> x, std::span<S> dx, const PairVector<S>& q1, const PairVector<S>& p1,
                 PositionData<S>& at) {
        const std::size_t d = w_.size(), m = rows_.size();
        const auto& pattern = system_->pattern();
        const auto dR = dx.first(d), dlambda = dx.subspan(d, m);
        if (m > 0) {
            system_->jacobian(t1, q1.high, at.G, at.rounding);
            system_->constraint(t1, q1.high, q1.low, dlambda);
        }
        system_->force_gradient(t1, q1.high, p1.high, at.force);
        std::copy(at.force.begin(), at.force.end(), dR.begin());
        add_transposed<S>(pattern, at.G, x.subspan(d, m), dR);
        for (std::size_t j = 0; j < d; ++j) {
            dR[j] = dR[j] - x[j];
        }
        find_floors(t1, factored, p, kick, h, x, q1, at);
        const Real<S> worst = largest_in_floors<S>(dx, floor_);
        if (m > 0) {
            system_->solve_mass(t1, q1.high, p1.high, dR, w_);
            apply_jacobian<S>(pattern, at.G, w_, rows_);
            const S scale = lit<S>(1) / (h * kick);
            for (std::size_t i = 0; i < m; ++i) {
                dlambda[i] = mad(scale, dlambda[i], -rows_[i]);
            }
            matrix_->solve(factored, dlambda);
            add_transposed<S>(pattern, at.G, dlambda, dR);
        }
        return worst;
    }

    // g as in KickDrift. The reaction is known to the last digit of its largest term and of the momentum that it moves,
    // and as far as rounding of g lets the multipliers be known.
    void find_floors(const S& t1, std::span<const S> factored, const PairVector<S>& p, const S& kick, const S& h,
                     std::span<const S> x, const PairVector<S>& q1, const PositionData<S>& at) {
        const std::size_t d = w_.size(), m = rows_.size();
        const auto& pattern = system_->pattern();
        std::fill(w_.begin(), w_.end(), lit<S>(0));
        add_transposed_sizes<S>(pattern, at.G, x.subspan(d, m), w_);
        const S eps = from_real<S>(epsilon<S>());
        S largest = lit<S>(0);
        for (std::size_t j = 0; j < d; ++j) {
            w_[j] = mad(magnitude(kick), w_[j] + magnitude(at.force[j]), magnitude(p.high[j]));
            largest = larger_parts(largest, w_[j]);
        }
        largest = eps * largest / magnitude(kick);
        system_->velocity(t1, q1.high, w_, v_);
        const S least = larger_parts(least_size<S>(v_), S(least_correction<S>() / magnitude(h)));
        for (std::size_t j = 0; j < d; ++j) {
            w_[j] = mad(magnitude(h), larger_parts(magnitude(v_[j]), least), held_size(q1.high[j]));
        }
        const auto row_floors = std::span<S>(floor_).subspan(d, m);
        constraint_floors<S>(pattern, at.G, w_, at.rounding, row_floors);
        if (m > 0) {
            const S scale = lit<S>(1) / magnitude(S(h * kick));
            std::copy(row_floors.begin(), row_floors.end(), rows_.begin());
            matrix_->solve(factored, rows_);
            for (auto& row : rows_) {
                row = scale * magnitude(row);
            }
            std::fill(w_.begin(), w_.end(), lit<S>(0));
            add_transposed_sizes<S>(pattern, at.G, rows_, w_);
            for (const auto& noise : w_) {
                largest = larger_parts(largest, noise);
            }
        }
        std::fill(floor_.begin(), floor_.begin() + static_cast<std::ptrdiff_t>(d), largest);
    }

    System<S>* system_;
    const ConstraintMatrix<S>* matrix_;
    std::vector<S> unknowns_, correction_, floor_, w_, v_, rows_;
};

}  // namespace libration
