// Which solution of the stages continues the motion, near positions where constraints become dependent. A part of
// spark_map.cpp.
#pragma once

#include "manifold/rank.hpp"
#include "methods/spark_map.hpp"

#include <algorithm>

namespace libration {

template <class S>
Strangeness<Real<S>> SparkMap<S>::look(const Substep<S>& step, const State<S>& z0, const State<S>& z1,
                                       std::span<const S> x, std::span<const S> predicted) requires OneTrajectory<S> {
    const std::size_t half = layout().stages * layout().dimension;
    Evaluations<S> not_counted;
    before_ = z0;
    after_ = z1;
    projection_.momentum(step.t, before_, not_counted);
    projection_.momentum(step.t1, after_, not_counted);
    return {judge_.surprise(z0.p.high, x.subspan(half, half), predicted.subspan(half, half)),
            judge_.jump({step.t, before_.q.high, {}, before_.p.high}, {step.t1, after_.q.high, {}, after_.p.high})};
}

// Near positions where constraints become dependent, {g = 0} has several branches, and the equations a solution on each
// of them. The motion continues on the branch where it comes from: there the unknowns are close to what was expected of
// them, and the energy is kept.
template <class S>
MapReport<S> SparkMap<S>::follow(const Substep<S>& step, const State<S>& z0, State<S>& z1, std::span<S> x,
                                 std::span<const S> predicted, bool solved,
                                 Evaluations<S>& evaluations) requires OneTrajectory<S> {
    using R = Real<S>;
    const R one = lit<R>(1);
    std::optional<Strangeness<R>> best;
    MapReport<S> report;
    IterationReport<R> iteration{lit<R>(0), lit<R>(0), one};
    const auto consider = [&] {
        report = end(step, z0, z1, x, iteration, evaluations);
        if (!equal(report.converged, one)) {
            return false;
        }
        if (!less(from_double<R>(rank_tolerance), report.pivot)) {
            best = Strangeness<R>{};  // the rank is lost there: no state to look at, and the loop will say so
            report.pivot = lit<R>(0);
            return true;
        }
        const auto found = look(step, z0, z1, x, predicted);
        if (!best || less(found.worst(), best->worst())) {
            best = found;
            std::copy(x.begin(), x.end(), chosen_.begin());
        }
        return found.is_motion();
    };
    if (solved) {
        stages_.evaluate(step, z0, x);
        iteration.residual = stages_.residuals(step, z0, x, correction_);  // finds the floors
        if (consider()) {
            return report;
        }
    }
    if (has_newton_) {
        std::copy(predicted.begin(), predicted.end(), x.begin());
        iteration = solve(Way::full, step, z0, x, evaluations);
        if (consider()) {
            return report;
        }
        guess(step, z0, x, evaluations);
        iteration = solve(Way::full, step, z0, x, evaluations);
        if (consider()) {
            return report;
        }
    }
    if (best) {
        std::copy(chosen_.begin(), chosen_.end(), x.begin());
        iteration = {lit<R>(0), lit<R>(0), one};
        report = end(step, z0, z1, x, iteration, evaluations);
    }
    if (!best || !best->is_bearable()) {
        report.converged = lit<R>(0);
    }
    return report;
}

}  // namespace libration
