// The one data-dependent loop of method code: iterate a correction until the residual is at round-off.
//
// The residual is measured in floors (its own round-off, so a number without units). A lane stops when the residual
// is at most one floor, or when it stagnates, that is when it no longer decreases within `stagnation` floors:
// round-off has been reached, and more passes would only reshuffle the noise. A stopped lane is frozen, so the number
// of passes depends on the trajectory and not on its batch. [Hairer-Lubich-Wanner, Geometric Numerical Integration,
// VIII.6]
#pragma once

#include <libration/kit/scalar.hpp>
#include <libration/kit/tuned.hpp>

#include <span>

namespace [[gnu::visibility("default")]] libration {

struct IterationControl {
    int max_passes = 60;
    std::int64_t stagnation = 64;  // floors
    // This many consecutive passes must fail to improve on the best before that counts as stagnation. More than one for
    // iterations that converge slowly and not at every pass.
    std::int64_t patience = 1;
    // Apply the correction of the last pass too. It is known, and the remaining error of an iteration that stops at one
    // floor has a direction: over many steps it adds up to a drift, whereas rounding errors perform a random walk.
    bool correct_last = false;
    // With correct_last: stop early if the current correction will leave a sixteenth of a floor, by the rate at
    // which the last one reduced the residual.
    bool foresee = false;
};

template <class R>
struct IterationReport {
    R passes;     // corrections applied
    R residual;   // floors, at the final x; where that was foreseen and not measured, what was foreseen at most
    R converged;  // 1 or 0
};

// Improves x in place. `pass(x, correction)` returns the residual of x in floors and writes the correction to be added.
// After the loop only x and the report may be read: the tracer turns the loop into one instruction with these results.
// `before`: x was corrected once by the caller already, and this was the residual before.
template <class S, class Pass>
IterationReport<Real<S>> iterate(const IterationControl& control, std::span<S> x, std::span<S> correction, Pass&& pass,
                                 const std::type_identity_t<Real<S>>* before = nullptr) {
    using R = Real<S>;
    const R one = lit<R>(1);
    const R zero = lit<R>(0);
    IterationReport<R> report{before != nullptr ? one : zero, zero, zero};
    R previous = before != nullptr ? *before : zero, idle = zero;
    auto active = less(zero, one);
    for (int k = 0;; ++k) {
        const R residual = pass(std::span<const S>(x), correction);
        report.residual = select(active, residual, report.residual);
        auto done = less_equal(residual, one);
        if (k > 0 || before != nullptr) {
            idle = select(less(residual, previous), zero, R(idle + one));
            const auto stagnates =
                both(less_equal(lit<R>(control.patience), idle), less_equal(residual, lit<R>(control.stagnation)));
            done = either(done, stagnates);
            if (control.foresee) {
                const auto foreseen = both(less_equal(R(lit<R>(16) * (residual * residual)), previous),
                                           less_equal(residual, lit<R>(control.stagnation)));
                report.residual = select(both(active, foreseen), minv(residual, lit<R>(1, 16)), report.residual);
                done = either(done, foreseen);
            }
        }
        report.converged = select(both(active, done), one, report.converged);
        // A residual that is no longer a finite number will not recover.
        const auto finite = both(active, less(R(residual - residual), one));
        active = both(finite, negate(done));
        const bool last = k == control.max_passes || !any(active);
        if (last && !control.correct_last) {
            return report;
        }
        const auto corrected = control.correct_last ? finite : active;
        tuned<S>([&]() LIBRATION_TUNED {
            for (std::size_t i = 0; i < x.size(); ++i) {
                x[i] = select(corrected, S(x[i] + correction[i]), x[i]);
            }
        });
        report.passes = select(corrected, R(report.passes + one), report.passes);
        const R best = (k > 0 || before != nullptr) && control.patience > 1 ? minv(previous, residual) : residual;
        previous = select(active, best, previous);
        if (last) {
            return report;
        }
    }
}

}  // namespace libration
