// Steps whose first guess or iteration leads to where a formula is not a number, though the motion does not. A part of
// spark_map.cpp.
//
// The start of the step lies in the domain. From there Newton's method is damped: a correction is halved until it ends
// in the domain. A derivative that is kept from the start would point along the tangent again and again, and lead to
// the border (decision 32).
#pragma once

#include "manifold/rank.hpp"
#include "methods/spark_map.hpp"

#include <algorithm>

namespace libration {

template <class S>
std::optional<MapReport<S>> SparkMap<S>::keep_to_domain(const Substep<S>& step, const State<S>& z0, State<S>& z1,
                                                        std::span<S> x,
                                                        Evaluations<S>& evaluations) requires OneTrajectory<S> {
    if (!has_newton_) {
        return std::nullopt;
    }
    guess(step, z0, inside_, evaluations);
    std::fill_n(inside_.begin(), layout().first_multiplier(), zero());  // all stages at the start
    const auto iteration = solve(Way::damped, step, z0, inside_, evaluations);
    if (!equal(iteration.converged, lit<Real<S>>(1))) {
        return std::nullopt;
    }
    const auto report = end(step, z0, z1, inside_, iteration, evaluations);
    if (!equal(report.converged, lit<Real<S>>(1)) || !less(from_double<Real<S>>(rank_tolerance), report.pivot)) {
        return std::nullopt;
    }
    // Iterations of steps that are much too long end here too, and their equations may have solutions that are no
    // motion.
    guess(step, z0, tried_, evaluations);
    if (!look(step, z0, z1, inside_, tried_).is_bearable()) {
        return std::nullopt;
    }
    std::copy(inside_.begin(), inside_.end(), x.begin());
    return report;
}

template <class S>
void SparkMap<S>::shorten_into_domain(const Substep<S>& step, const State<S>& z0, std::span<const S> x, std::span<S> dx,
                                      Evaluations<S>& evaluations) requires OneTrajectory<S> {
    constexpr int most_halvings = 30;  // where 1e-9 of a correction is too much, there is no way
    for (int k = 0; k < most_halvings; ++k) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            tried_[i] = x[i] + dx[i];
        }
        stages_.evaluate(step, z0, tried_);
        evaluations.add(Evaluations<S>::force, lit<S>(static_cast<std::int64_t>(layout().stages)));
        if (is_finite(stages_.residuals(step, z0, tried_, unused_))) {
            return;
        }
        for (auto& component : dx) {
            component = lit<S>(1, 2) * component;
        }
    }
}

}  // namespace libration
