// The loop with adaptive step size: the number of steps is not known in advance.
#include <libration/kit/method_record.hpp>

#include "loop.hpp"
#include "methods/row_guard.hpp"
#include "methods/winding_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

std::unique_ptr<Stepper<double>> Integration::Loop::ordinary_stepper() {
    return guarding_rows<double>(model_, method_, *system_, libration::make_stepper<double>(method_, *system_));
}

void Integration::Loop::make_stepper() {
    if (!options_.adaptive) {
        stepper_ = ordinary_stepper();
        return;
    }
    auto [guarded, adaptive] = adaptive_stepper();
    stepper_ = std::move(guarded);
    adaptive_ = adaptive;
}

std::pair<std::unique_ptr<Stepper<double>>, AdaptiveStepper<double>*> Integration::Loop::adaptive_stepper() {
    auto control = step_control(method_, system_->properties(), system_->constraints(), *options_.adaptive);
    auto stepper =
        std::make_unique<AdaptiveStepper<double>>(*system_, make_map<double>(method_, *system_), std::move(control));
    auto* adaptive = stepper.get();
    return {guarding_rows<double>(model_, method_, *system_, counting_turns<double>(*system_, std::move(stepper), 0),
                                  false),
            adaptive};
}

double Integration::Loop::end_time() const {
    const bool by_time = options_.adaptive && options_.duration;
    return options_.start_time + (by_time ? *options_.duration : static_cast<double>(total_) * options_.step);
}

// With a duration the run ends at the first node at or past its end; no step is cut short.
bool Integration::Loop::has_more_steps() {
    if (adaptive_ == nullptr || !options_.duration) {
        return accepted_ < total_ + method_.lag();
    }
    const double t = stepper_->node().t;
    return options_.step > 0 ? t < end_time() : t > end_time();
}

Progress Integration::Loop::progress_at(std::int64_t n, double seconds) {
    Progress progress{n, total_, accepted_ - executed_, seconds};
    if (adaptive_ != nullptr && options_.duration) {
        const double passed = (stepper_->node().t - options_.start_time) / *options_.duration;
        progress.fraction = *options_.duration == 0 ? 1.0 : std::clamp(passed, 0.0, 1.0);
    }
    return progress;
}

double Integration::Loop::step_ahead() const { return adaptive_ != nullptr ? adaptive_->trial_step() : options_.step; }

double Integration::Loop::time_of(std::int64_t n) {
    if (adaptive_ == nullptr) {
        return options_.start_time + static_cast<double>(n) * options_.step;
    }
    const double t = stepper_->node().t;
    return n > accepted_ ? t + step_ahead() : t;
}

RunFailure Integration::Loop::length_failure() {
    return {accepted_ + 1, time_of(accepted_ + 1), "step-size",
            fmt::format("{}; try another tolerance, the other estimator (now: {}), or a constant step size",
                        adaptive_->fault(), name(*adaptive_->options().estimator))};
}

void Integration::Loop::summarize_lengths(Run& run) const {
    if (adaptive_ != nullptr) {
        run.adaptive.options = adaptive_->options();
        run.adaptive.smallest = adaptive_->smallest_step();
        run.adaptive.largest = adaptive_->largest_step();
        run.adaptive.rejected = adaptive_->rejected();
        if (adaptive_->not_reversed() > 0) {
            run.warnings.push_back(fmt::format(
                "the sizes of {} steps are not time-reversible, because the error equals the tolerance at several step "
                "sizes; try the other estimator (now: {}), another tolerance, or another number of stages",
                adaptive_->not_reversed(), name(*adaptive_->options().estimator)));
        }
    }
}

}  // namespace libration
