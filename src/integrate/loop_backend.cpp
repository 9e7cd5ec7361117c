// The execution engine of a run: the interpreter, code of whole steps, or code of the programs inside them. Never a
// question of bits.
#include "loop.hpp"
#include "monitored_step.hpp"

#include "codegen/machine_code.hpp"
#include "codegen/tape_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// How many steps repay compiling one of this many instructions; measured, see docs/generated-code.md. Compiling n of
// them takes about 40 ms + n 40 us + n^2 10 ns, and saves some 0.7 ns an instruction and step.
constexpr double least_steps = 5e4;
double repaying_steps(double instructions) {
    const double compiled = std::min<double>(instructions, most_step_instructions);  // the others are shared
    return std::max(least_steps, (4e7 + 4e4 * compiled + 10 * compiled * compiled) / (0.7 * instructions));
}
// Kernels save less: a part of the time that their operations take, and of what every step costs besides.
constexpr double least_kernel_work = 3e8, work_around_step = 500, work_without_lanes = 5;
// Operations of all programs of a system beyond which recording a step is in vain: it has five times as many at least.
constexpr double most_recorded_work = most_step_instructions / 5.0;

}  // namespace

std::int64_t Integration::Loop::steps_ahead() const {
    if (adaptive_ != nullptr && options_.duration) {
        return static_cast<std::int64_t>(std::min(9e15, std::abs(*options_.duration / options_.step)));
    }
    return total_ + method_.lag() - accepted_;
}

// How often a node is needed during the run.
double Integration::Loop::looks_ahead() const {
    const auto steps = static_cast<double>(steps_ahead());
    const bool left_to_code = generated_ != nullptr && generated_->watches();
    const double monitored = options_.monitor > 0 && !left_to_code ? steps / static_cast<double>(options_.monitor) : 0;
    const double seen = !observers_.empty() && options_.at.empty() ? steps / static_cast<double>(options_.every) : 0;
    return monitored + seen + (stop_condition_ || between_ ? steps : 0);
}

bool Integration::Loop::step_pays(double instructions) const {
    return options_.backend == Backend::generated || static_cast<double>(steps_ahead()) >= repaying_steps(instructions);
}

bool Integration::Loop::kernels_pay(double work, double evaluations) const {
    const double each = (work + work_around_step) * (method_.lanes(system_->properties()) ? 1 : work_without_lanes);
    return options_.backend == Backend::generated ? evaluations > 0 : evaluations * each >= least_kernel_work;
}

// Where every node is monitored and few are seen, and monitors need nothing else, they become part of the step.
std::optional<RecordedStep> Integration::Loop::recorded(bool monitored, std::string& why_not) {
    const bool seldom_seen = observers_.empty() || !options_.at.empty() || options_.every > 1;
    const bool alone = !mass_watch_.needed() && !balance_ && !between_ && !stop_condition_ && seldom_seen;
    const auto monitor = monitored && options_.monitor == 1 && alone ? MonitorInStep::make(model_) : nullptr;
    return record_step(model_, method_, *system_, stepper_->node(), options_.step, why_not, monitor.get());
}

void Integration::Loop::choose_backend() {
    const auto steps = static_cast<double>(steps_ahead());
    if (options_.backend == Backend::interpreted) {
        return;
    }
    if (const auto& untraced = system_->properties().untraced; !untraced.empty()) {
        backend_.reason = fmt::format("{} of the model cannot be traced", untraced);
        if (options_.backend == Backend::generated) {
            warn_of_backend();
        }
        return;
    }
    const auto before = Clock::now();
    TapeCode tapes;
    system_->visit_tapes(tapes);
    std::string no_step;
    std::optional<RecordedStep> step;
    if (adaptive_ != nullptr) {
        no_step = "the step size is adaptive";
    } else if (!method_.lanes(system_->properties())) {
        no_step = fmt::format("steps of {} select pivots at run time and cannot be traced", method_.name());
    } else if (tapes.work() > most_recorded_work) {
        no_step = fmt::format("a step of this model has more than {} operations", most_step_instructions);
    } else if (options_.backend == Backend::generated ? steps > 0 : steps >= least_steps) {
        step = recorded(true, no_step);
    }
    const bool whole = step && step_pays(static_cast<double>(step->program.instructions()));
    if (!whole && !kernels_pay(tapes.work(), steps)) {
        backend_.reason = "the run is too short to benefit from compilation";
        return;
    }
    generate(whole ? &*step : nullptr, tapes.work(), no_step);
    backend_.seconds = std::chrono::duration<double>(Clock::now() - before).count();
}

void Integration::Loop::generate(const RecordedStep* step, double work, std::string no_step) {
    if (!code_support().available) {
        backend_.reason = code_support().reason;
        // If an environment variable requests it, no warning is needed.
        if (options_.backend == Backend::generated || !backend_.reason.starts_with("LIBRATION_")) {
            warn_of_backend();
        }
        return;
    }
    if (step != nullptr) {
        auto code = generate_step(step->program, 1, &no_step);
        std::optional<RecordedStep> plain;
        if (code == nullptr && step->watched > 0) {  // it is too long with monitors
            plain = recorded(false, no_step);
            step = plain ? &*plain : step;
            code = plain ? generate_step(plain->program, 1, &no_step) : nullptr;
        }
        if (code != nullptr) {
            auto generated = std::make_unique<GeneratedStepper>(std::move(stepper_), *step, std::move(code));
            generated_ = generated.get();
            stepper_ = std::move(generated);
            backend_.name = fmt::format("generated step ({}, 1 lane)", code_support().name);
        }
    }
    if (!kernels_pay(work, generated_ != nullptr ? looks_ahead() : static_cast<double>(steps_ahead()))) {
        backend_.reason = generated_ != nullptr ? "" : no_step;
        return;
    }
    if (generated_ == nullptr && !method_.lanes(system_->properties()) && system_->properties().dense_derivatives) {
        settled_integers(method_, *system_, stepper_->node(), options_.step);  // the first step builds more programs
    }
    TapeCode all;
    system_->visit_tapes(all);
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
        backend_.name = fmt::format("generated kernels ({})", code_support().name);
        backend_.reason = no_step;
    } else {
        backend_.reason = no_step == no_kernels ? no_step : fmt::format("{}; {}", no_step, no_kernels);
        warn_of_backend();
    }
}

void Integration::Loop::warn_of_backend() {
    auto warning = fmt::format("no machine code is generated ({}); the run is slower, with bitwise identical results",
                               backend_.reason);
    if (std::ranges::find(warnings_, warning) == warnings_.end()) {
        warnings_.push_back(std::move(warning));
    }
}

// Steps whose nodes no observer needs.
std::int64_t Integration::Loop::unseen_steps() const {
    if (mass_watch_.needed() || balance_ || between_ || stop_condition_ ||
        (sink_ != nullptr && checkpoint_seconds_ == 0)) {
        return 0;
    }
    const std::int64_t newest = accepted_ - method_.lag();
    std::int64_t steps = total_ - newest;
    const auto stop_before_each = [&](std::int64_t stride) {
        const std::int64_t next = (std::max<std::int64_t>(newest, 0) / stride + 1) * stride;
        steps = std::min(steps, next - newest - 1);
    };
    if (options_.monitor > 0 && !generated_->watches()) {
        stop_before_each(options_.monitor);
    } else if (options_.monitor > 0) {
        // The node before the first step of a method may have been made in another way than later ones.
        steps = newest < 1 ? 0 : std::min(steps, monitor_->next_kept(newest) - newest);
    }
    if (row_watch_.needed()) {
        // Counted by accepted steps, as run() does, wherever the newest node is.
        steps = std::min(steps, steps_between_looks - accepted_ % steps_between_looks);
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
    const auto steps = std::min(unseen, longest_leap_);
    std::int64_t made = 0;
    if (generated_->watches()) {
        watched_.arrays.clear();
        monitor_->visit_for_steps(watched_);
        made = generated_->leap(steps, worst, watched_.arrays);
    } else {
        made = generated_->leap(steps, worst);
    }
    accepted_ += made;
    executed_ += made;
    monitor_->note_floors(worst);
    if (made > 0 && generated_->watches()) {
        monitor_->arrive(ready());
    }
    // Short enough for stop requests and progress, long enough to cost nothing.
    if (full && made == longest_leap_ && Clock::now() - before < std::chrono::milliseconds(3)) {
        longest_leap_ *= 2;
    }
    return made > 0;
}

}  // namespace libration
