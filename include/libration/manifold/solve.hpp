// Solving r(multipliers) = 0 for a position map that the method supplies.
//
// The method gives the residual of its own map and an approximate inverse of the derivative, a factored operator. Coupled
// stages stack their multipliers and residuals; the solver sees one vector.
#pragma once

#include <libration/scalar/iterate.hpp>
#include <libration/system/system.hpp>

namespace libration {

// floor_i = eps * sum_j |G_ij| size_j: the round-off of constraint i when coordinate j has this size. Round-off means at
// most four floors.
template <class S>
void constraint_floors(const SparsePattern& pattern, std::span<const S> G, std::span<const S> sizes,
                       std::span<S> floors) {
    for (std::size_t i = 0; i < pattern.rows(); ++i) {
        std::size_t e = pattern.row_start[i];
        S sum = magnitude(G[e]) * sizes[pattern.column[e]];
        for (++e; e < pattern.row_start[i + 1]; ++e) {
            sum = mad(magnitude(G[e]), sizes[pattern.column[e]], sum);
        }
        floors[i] = from_real<S>(epsilon<S>()) * sum;
    }
}

// The largest residual in floors.
template <class S>
Real<S> largest_in_floors(std::span<const S> residual, std::span<const S> floor) {
    Real<S> worst = floors(residual[0], floor[0]);
    for (std::size_t i = 1; i < residual.size(); ++i) {
        worst = worse(worst, floors(residual[i], floor[i]));
    }
    return worst;
}

// `evaluate(multipliers, residual)` writes the residual; `correct(residual)` turns it in place into the correction of the
// multipliers. `scratch` has the size of the multipliers.
template <class S, class Evaluate, class Correct>
IterationReport<Real<S>> solve_constraints(const IterationControl& control, std::span<S> multipliers,
                                           std::span<S> scratch, std::span<const S> floor, Evaluate&& evaluate,
                                           Correct&& correct) {
    return iterate(control, multipliers, scratch, [&](std::span<const S> x, std::span<S> residual) {
        evaluate(x, residual);
        const Real<S> worst = largest_in_floors<S>(residual, floor);
        correct(residual);
        return worst;
    });
}

}  // namespace libration
