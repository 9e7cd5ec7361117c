// The faces of the loop.
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>

#include "loop.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace libration {

namespace {

constexpr std::int64_t most_steps = 9'000'000'000'000'000;

}  // namespace

std::int64_t count_steps(const IntegrationOptions& options, std::vector<std::string>* warnings) {
    if (!std::isfinite(options.step) || options.step == 0) {
        throw InputError({.argument = "step",
                          .value = fmt::format("{}", options.step),
                          .problem = "it must be a finite number other than 0"});
    }
    if (options.steps && options.duration) {
        throw InputError("give either `duration` or `steps`, not both");
    }
    if (options.steps) {
        if (*options.steps < 0) {
            throw InputError(
                {.argument = "steps", .value = std::to_string(*options.steps), .problem = "it must not be negative"});
        }
        if (*options.steps > most_steps) {
            throw InputError(
                {.argument = "steps", .value = std::to_string(*options.steps), .problem = "at most 9e15 are possible"});
        }
        return *options.steps;
    }
    if (!options.duration || !std::isfinite(*options.duration)) {
        throw InputError(options.duration ? Mistake{.argument = "duration",
                                                    .value = fmt::format("{}", *options.duration),
                                                    .problem = "it must be a finite number"}
                                          : Mistake{.problem = "give `duration` or `steps`"});
    }
    const double ratio = *options.duration / options.step;
    if (ratio < 0) {
        throw InputError(
            fmt::format("`duration = {}` and `step = {}` must have the same sign", *options.duration, options.step));
    }
    if (options.adaptive) {
        return most_steps;  // as many as it takes
    }
    if (ratio > 9e15) {
        throw InputError(
            fmt::format("`duration = {}` takes more than 9e15 steps of {}", *options.duration, options.step));
    }
    const auto steps = static_cast<std::int64_t>(std::llround(ratio));
    const double reached = static_cast<double>(steps) * options.step;
    if (warnings != nullptr && std::abs(reached - *options.duration) > 1e-9 * std::abs(*options.duration)) {
        warnings->push_back(fmt::format("the duration {} is not a whole number of steps of {}; the run ends at {}",
                                        *options.duration, options.step, options.start_time + reached));
    }
    return steps;
}

Integration::Integration(const Model& model, const Method& method, const IntegrationOptions& options)
    : loop_(std::make_unique<Loop>(model, method, options)) {}
Integration::~Integration() = default;

void Integration::observe(Observer& observer, Look look) {
    loop_->observers_.push_back(&observer);
    loop_->complete_ = loop_->complete_ || look == Look::everything;
}
void Integration::report_progress(std::shared_ptr<ProgressSink> sink) { loop_->progress_ = std::move(sink); }
void Integration::stop_on(const StopSignal& stop) { loop_->stop_ = &stop; }
void Integration::checkpoint_to(CheckpointSink& sink, double seconds) {
    loop_->sink_ = &sink;
    loop_->checkpoint_seconds_ = seconds;
}
void Integration::restore(std::span<const std::byte> memory) { loop_->restore(memory); }
std::int64_t Integration::total_steps() const { return loop_->total_; }
std::int64_t Integration::steps_executed() const { return loop_->executed_; }
Run Integration::run() { return loop_->run(); }

Run integrate(const Model& model, const Method& method, const IntegrationOptions& options) {
    return Integration(model, method, options).run();
}

Run integrate(const Model& model, const Method& method, const IntegrationOptions& options, Observer& observer) {
    Integration integration(model, method, options);
    integration.observe(observer);
    return integration.run();
}

}  // namespace libration
