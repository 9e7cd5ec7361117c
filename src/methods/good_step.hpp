// Whether a step was good: the one place that says so, for runs, lanes, recorded steps, dense output and measurements.
#pragma once

#include "manifold/rank.hpp"

#include <libration/kit/pack.hpp>
#include <libration/kit/stepper.hpp>
#include <libration/kit/traced.hpp>

#include <cmath>

namespace libration {

// Its equations were solved to round-off, the constraints were independent, and the new state is finite.
inline bool good_step(double converged, double pivot, double size) {
    return converged == 1 && pivot > rank_tolerance && std::isfinite(size);
}

// Of a scalar that stands for one trajectory.
template <class S>
bool good_step(const StepReport<S>& report) {
    return good_step(to_double(report.converged), to_double(report.pivot), to_double(report.size));
}

inline bool good_step(const StepReport<Pack>& report, std::size_t lane) {
    return good_step(report.converged.lane[lane], report.pivot.lane[lane], report.size.lane[lane]);
}

// 1 or 0, recorded with the step: the same question, asked without a branch.
inline Traced recorded_good_step(const StepReport<Traced>& report) {
    const auto converged = equal(report.converged, lit<Traced>(1));
    const auto regular = less(from_double<Traced>(rank_tolerance), report.pivot);
    const auto finite = equal(report.size - report.size, lit<Traced>(0));
    return select(both(both(converged, regular), finite), lit<Traced>(1), lit<Traced>(0));
}

}  // namespace libration
