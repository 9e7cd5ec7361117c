// Who makes the steps of a run: the interpreter, code of whole steps, or code of the programs inside them. Never a question of bits.
#include "loop.hpp"

#include <libration/codegen/tape_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Interpreted operations that take about as long as compiling: from here on code pays. Measured, see docs/generated-code.md.
constexpr double least_work = 5e6;
// Operations of all programs of a system of which recording a step takes longer than the step is worth.
constexpr double most_recorded_work = most_step_instructions;

}  // namespace

std::int64_t Integration::Loop::steps_ahead() const {
    if (adaptive_ != nullptr && options_.duration) {
        return static_cast<std::int64_t>(std::min(9e15, std::abs(*options_.duration / options_.step)));
    }
    return total_ + method_.lag() - accepted_;
}

// How often somebody looks at a node on the way.
double Integration::Loop::looks_ahead() const {
    const auto steps = static_cast<double>(steps_ahead());
    const double monitored = options_.monitor > 0 ? steps / static_cast<double>(options_.monitor) : 0;
    const double seen = !observers_.empty() && options_.at.empty() ? steps / static_cast<double>(options_.every) : 0;
    return monitored + seen + (stop_condition_ || between_ ? steps : 0);
}

bool Integration::Loop::code_pays(double operations) const {
    return options_.backend == Backend::generated ? operations > 0 : operations >= least_work;
}

void Integration::Loop::choose_backend() {
    if (options_.backend == Backend::interpreted) {
        return;
    }
    TapeCode tapes;
    system_.visit_tapes(tapes);
    const double work = std::max(1.0, tapes.work());
    if (!code_pays(work * static_cast<double>(steps_ahead()))) {
        backend_.reason = "the run is too short to repay compiling";
        return;
    }
    const auto before = Clock::now();
    generate(work);
    backend_.seconds = std::chrono::duration<double>(Clock::now() - before).count();
}

void Integration::Loop::generate(double work) {
    if (!code_support().available) {
        backend_.reason = code_support().reason;
        // A variable of the environment that asks for it is no news.
        if (options_.backend == Backend::generated || !backend_.reason.starts_with("LIBRATION_")) {
            warn_of_backend();
        }
        return;
    }
    std::string no_step;
    if (adaptive_ != nullptr) {
        no_step = "steps choose their length";
    } else if (work > most_recorded_work) {
        no_step = fmt::format("a step of this model is too long: more than {} operations", most_step_instructions);
    } else if (auto generated = generate_steps(model_, method_, system_, stepper_, options_.step, no_step)) {
        generated_ = generated.get();
        stepper_ = std::move(generated);
        backend_ = {fmt::format("generated step ({}, 1 lane)", code_support().name), ""};
    }
    if (generated_ != nullptr && !code_pays(work * looks_ahead())) {
        return;
    }
    TapeCode all;
    if (generated_ == nullptr && !method_.lanes() && system_.properties().dense_derivatives) {
        settled_integers(method_, system_, stepper_->node(), options_.step);  // the first step builds more programs
    }
    system_.visit_tapes(all);
    reader_->visit_tapes(all);
    if (stop_condition_) {
        stop_condition_->visit_tapes(all);
    }
    std::string no_kernels;
    const bool kernels = all.generate(no_kernels);
    if (generated_ != nullptr) {
        return;
    }
    if (kernels) {
        backend_ = {fmt::format("generated kernels ({})", code_support().name), no_step};
    } else {
        backend_.reason = no_step == no_kernels ? no_step : fmt::format("{}; {}", no_step, no_kernels);
        warn_of_backend();
    }
}

void Integration::Loop::warn_of_backend() {
    warnings_.push_back(
        fmt::format("no machine code is generated ({}); the run is slower and gives the same bits", backend_.reason));
}

// Steps of which nobody sees the nodes.
std::int64_t Integration::Loop::unseen_steps() const {
    if (mass_watch_.needed() || between_ || stop_condition_ || (sink_ != nullptr && checkpoint_seconds_ == 0)) {
        return 0;
    }
    const std::int64_t newest = accepted_ - method_.lag();
    std::int64_t steps = total_ - newest;
    const auto stop_before_each = [&](std::int64_t stride) {
        const std::int64_t next = (std::max<std::int64_t>(newest, 0) / stride + 1) * stride;
        steps = std::min(steps, next - newest - 1);
    };
    if (options_.monitor > 0) {
        stop_before_each(options_.monitor);
    }
    if (!observers_.empty() && options_.at.empty()) {
        stop_before_each(options_.every);
    }
    return steps;
}

bool Integration::Loop::leap(bool& full) {
    if (generated_ == nullptr) {
        return false;
    }
    const auto unseen = unseen_steps();
    full = unseen >= longest_leap_;
    if (unseen == 0) {
        return false;
    }
    const auto before = full ? Clock::now() : Clock::time_point{};
    double worst = 0;
    const auto made = generated_->leap(std::min(unseen, longest_leap_), worst);
    accepted_ += made;
    executed_ += made;
    monitor_->note_floors(worst);
    // Short enough for stop requests and progress, long enough to cost nothing.
    if (full && made == longest_leap_ && Clock::now() - before < std::chrono::milliseconds(3)) {
        longest_leap_ *= 2;
    }
    return made > 0;
}

}  // namespace libration
