// What is asked, the duration, the reference, the ladders, the answer.
#include "choose_steps.hpp"

#include "candidates.hpp"
#include "choice_words.hpp"
#include "motion.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Smaller errors of states could not be told from round-off.
constexpr double least_error = 1e-14;
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
// Of errors that are extrapolated.
constexpr double safety = 1.4;
// Numbers of steps of pilots over a part of the duration are multiples of this: as many states are compared.
constexpr std::int64_t states_on_the_way = 16;

void check_positive(const char* name, const std::optional<double>& value) {
    if (value && !(*value > 0 && std::isfinite(*value))) {
        throw InputError({.argument = name,
                          .value = fmt::format("{}", *value),
                          .problem = "it must be a positive number",
                          .remedy = fmt::format("give e.g. `{} = 1e-8`", name)});
    }
}

UsualDuration duration_by_time_scales(PilotRuns& runs, const ChooseOptions& options, double fastest) {
    const auto methods = candidate_methods(runs.properties(), runs.constraints());
    const auto& middle = methods[methods.size() / 2];
    const double slowest = slowest_time_scale(runs, middle, fastest > 0 ? fastest : 1, options.budget / 4);
    // Three digits are more than a time scale has.
    return {std::stod(fmt::format("{:.3g}", usual_time_scales * slowest)), slowest};
}

}  // namespace

Chooser::Chooser(const Model& model, const ChooseOptions& options)
    : options_(&options), runs_(model, options), error_(options.error), energy_error_(options.energy_error) {
    check_request();
    methods_ = methods_to_try();
    if (!error_ && !energy_error_) {
        error_ = usual_error;
    }
    choice_.model = model.name;
    choice_.asked = {error_, energy_error_};
}

void Chooser::check_request() const {
    check_positive("error", options_->error);
    check_positive("energy_error", options_->energy_error);
    if (options_->error && *options_->error >= 1) {
        throw InputError({.argument = "error",
                          .value = fmt::format("{}", *options_->error),
                          .problem = "it is relative to the size of the state, and must be below 1",
                          .remedy = "give e.g. `error = 1e-3`"});
    }
    if (options_->error && *options_->error < least_error) {
        throw InputError({.argument = "error",
                          .value = fmt::format("{}", *options_->error),
                          .problem = "numbers in double precision have 16 digits, and round-off grows along a run, so "
                                     "that nothing meets it",
                          .remedy = fmt::format("the closest that can be measured is `error = {}`", least_error)});
    }
    if (options_->step && !(std::isfinite(*options_->step) && *options_->step != 0)) {
        throw InputError({.argument = "step",
                          .value = fmt::format("{}", *options_->step),
                          .problem = "it must be a number other than 0"});
    }
    const auto& properties = runs_.properties();
    if (options_->energy_error && !(properties.conservative && properties.hamiltonian)) {
        throw InputError({.argument = "energy_error",
                          .problem = properties.hamiltonian ? "the energy of this model is not conserved"
                                                            : "this model is a field, which has no energy",
                          .remedy = "give `error = E`, the relative error of the final state"});
    }
}

std::vector<Method> Chooser::methods_to_try() const {
    if (!options_->method) {
        return candidate_methods(runs_.properties(), runs_.constraints());
    }
    auto given = method(*options_->method, options_->doubts);
    if (const auto reason = unmet_needs(given, runs_.properties(), runs_.constraints()); !reason.empty()) {
        throw InputError(reason);
    }
    return {given};
}

void Chooser::find_duration() {
    const auto& run = runs_.model().run;
    fastest_ = fastest_time_scale(runs_, *options_);
    if (options_->duration) {
        duration_ = *options_->duration;
    } else if (run.duration) {
        duration_ = *run.duration;
    } else if (run.steps && run.step) {
        duration_ = static_cast<double>(*run.steps) * *run.step;
    } else {
        const auto usual = duration_by_time_scales(runs_, *options_, fastest_);
        choice_.slowest = usual.slowest;
        duration_ = usual.duration;
    }
    if (!(std::isfinite(duration_) && duration_ != 0)) {
        throw InputError({.argument = "duration",
                          .value = fmt::format("{}", duration_),
                          .problem = "it must be a number other than 0"});
    }
    if (options_->step && *options_->step * duration_ < 0) {
        throw InputError({.argument = "step",
                          .value = fmt::format("{}", *options_->step),
                          .problem = fmt::format("its sign is not that of the duration, {}", duration_)});
    }
    choice_.duration = duration_;
    choice_.fastest = fastest_;
    length_ = std::abs(duration_);
}

LadderGoal Chooser::goal_over(double window) const {
    const double cautious = window < std::abs(duration_) && length_ == std::abs(duration_) ? safety : 1;
    LadderGoal goal;
    goal.error = error_ ? *error_ / growth_factor(window) / cautious : goal.error;
    goal.energy = energy_error_ ? *energy_error_ / cautious : goal.energy;
    return goal;
}

void Chooser::climb_ladders() {
    const bool at_the_end = window_ == length_ || !error_;
    if (options_->step && window_ < std::abs(duration_)) {
        const double unit = states_on_the_way * std::abs(*options_->step);
        window_ = unit * std::max(1.0, std::floor(window_ / unit));
    }
    LadderSetting setting{.window = std::copysign(window_, duration_),
                          .first_step = std::min(std::clamp(0.5 * fastest_, first_step_, 8 * first_step_), window_),
                          .multiple = at_the_end ? 1 : states_on_the_way,
                          .most_work = runs_.spent() + 2 * budget_,
                          .goal = goal_over(window_),
                          .fine = fine_ ? &*fine_ : nullptr};
    if (options_->step) {
        setting.only = std::max<std::int64_t>(1, std::llround(window_ / std::abs(*options_->step)));
    }
    auto ladders = LadderSearch(runs_, setting).climb(methods_);
    if (!ladders.front().best) {
        if (!options_->error && gives_up_positions()) {
            return;
        }
        throw InputError(nothing_met(ladders));
    }
    auto* winner = &ladders.front();
    if (window_ < length_ && !options_->step) {
        winner = confirmed_among(ladders);
        if (winner == nullptr && gives_up_positions()) {
            return;
        }
        if (winner == nullptr) {
            throw InputError(nothing_met(ladders));
        }
    }
    write(*winner, ladders);
}

// The cheapest that holds over the whole duration, or whose pilots must do; null: none.
Ladder* Chooser::confirmed_among(std::vector<Ladder>& ladders) {
    constexpr int most_refuted = 2;
    int refuted = 0;
    for (auto& ladder : ladders) {
        if (!ladder.best || refuted == most_refuted) {
            return nullptr;
        }
        const auto confirmation = confirm(ladder);
        confirmed_ = confirmation == Confirmation::confirmed;
        if (confirmed_ || (confirmation == Confirmation::not_affordable && may_be_extrapolated(ladder))) {
            return &ladder;
        }
        refuted += confirmation == Confirmation::refuted ? 1 : 0;
    }
    return nullptr;
}

// Chooses by the energy, where there is one.
bool Chooser::gives_up_positions() {
    const auto& properties = runs_.properties();
    if (!error_ || options_->step || !fine_ || !properties.conservative || !properties.hamiltonian) {
        return false;
    }
    const auto solution = *fine_;
    give_up_positions(solution);
    climb_ladders();
    return true;
}

// Multistep methods are not symplectic, and parasitic components may grow after the pilots.
bool Chooser::may_be_extrapolated(const Ladder& ladder) const {
    return methods_.size() == 1 || ladder.method.spec().name != "multistep";
}

// A reference by the method itself, with twice as many steps or, where such steps fail, more; null: all fail.
std::optional<FineSolution> Chooser::own_reference(const Method& method, std::int64_t& steps) {
    constexpr int most_doublings = 4;
    for (int doublings = 0; doublings < most_doublings; ++doublings, steps *= 2) {
        FineSolution own;
        own.method = method.name();
        own.pilot = runs_.run(method, 2 * steps, duration_);
        if (own.pilot.completed()) {
            return own;
        }
    }
    return std::nullopt;
}

// Numbers of steps are corrected over the whole duration: what follows the pilots may be another kind of motion.
Chooser::Confirmation Chooser::confirm(Ladder& winner) {
    constexpr int most_corrections = 4;
    const bool own = error_ && !whole_fine_;
    const double ratio = length_ / window_;
    if (ratio * winner.best->work * (own ? 3 : 2) > budget_) {
        return Confirmation::not_affordable;
    }
    auto start = static_cast<std::int64_t>(std::ceil(static_cast<double>(winner.best->steps) * ratio));
    for (int correction = 0; correction < most_corrections; ++correction) {
        auto fine = own ? own_reference(winner.method, start) : whole_fine_;
        if (own && !fine) {
            return Confirmation::refuted;
        }
        LadderSetting setting{
            .window = duration_, .start = start, .most_work = runs_.spent() + budget_, .fine = fine ? &*fine : nullptr};
        // The error of a reference with twice as many steps is a part of the difference to it.
        const double of_reference = own ? std::exp2(-winner.order) : 0;
        setting.goal.error = error_ ? *error_ * (1 - of_reference) : setting.goal.error;
        setting.goal.energy = energy_error_.value_or(setting.goal.energy);
        const auto again = LadderSearch(runs_, setting).climb({winner.method});
        const auto& best = again.front().best;
        if (!own && !best) {
            return Confirmation::refuted;
        }
        // A reference must be finer than what it measures, the more so the lower the order.
        const auto found = best ? best->steps : 2 * start;
        const double finest = (winner.order < 6 ? 1.1 : 1.3) * static_cast<double>(start);
        if (best && (!own || static_cast<double>(found) <= finest)) {
            winner.best = best;
            return Confirmation::confirmed;
        }
        start = found;
        const double each = winner.best->work / static_cast<double>(winner.best->steps);
        if (3 * each * static_cast<double>(start) > 2 * budget_) {
            break;
        }
    }
    return Confirmation::refuted;
}

std::string Chooser::nothing_met(const std::vector<Ladder>& ladders) const {
    return words_of_failure(choice_, ladders, growth_factor(window_), options_->step.has_value());
}

void Chooser::write(const Ladder& winner, const std::vector<Ladder>& ladders) {
    // What was confirmed is that of the whole duration already.
    const double other_ratio = std::abs(duration_) / window_, other_growth = growth_factor(window_);
    const double ratio = confirmed_ ? 1 : other_ratio, growth = confirmed_ ? 1 : other_growth;
    choice_.method = winner.method.name();
    choice_.steps = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::ceil(static_cast<double>(winner.best->steps) * ratio - 1e-9)));
    choice_.step = options_->step ? *options_->step : duration_ / static_cast<double>(choice_.steps);
    choice_.window = confirmed_ ? std::abs(duration_) : window_;
    choice_.positions_until = std::copysign(length_, duration_);
    choice_.energy_limit = energy_error_.value_or(0);
    choice_.criterion = error_ && energy_error_ ? "both" : error_ ? "error" : "energy_error";
    const bool positions = error_ && length_ == std::abs(duration_);
    choice_.predicted = {positions ? winner.best->error * growth : not_known, winner.best->energy_error,
                         winner.best->seconds * ratio};
    choice_.work = winner.best->work * ratio;
    choice_.pilot_work = runs_.spent();
    for (const auto& ladder : ladders) {
        const auto* rung = ladder.best ? &*ladder.best : ladder.closest();
        if (rung == nullptr && !ladder.rungs.empty()) {
            rung = &ladder.rungs.back();
        }
        if (rung == nullptr) {
            continue;
        }
        const bool is_winner = &ladder == &winner;
        const double longer = is_winner ? ratio : other_ratio;
        const auto steps = is_winner ? static_cast<double>(choice_.steps) : static_cast<double>(rung->steps) * longer;
        choice_.candidates.push_back({ladder.method.name(), duration_ / steps,
                                      rung->error * (is_winner ? growth : other_growth), rung->energy_error,
                                      rung->work * longer, verdict_of(ladder, is_winner, choice_.work / other_ratio)});
    }
    choice_.reason = words_of_reason(choice_, energy_error_);
}

Choice Chooser::choose() {
    find_duration();
    fit_budget();
    if (error_) {
        find_reference();
    } else {
        find_window();
    }
    climb_ladders();
    return std::move(choice_);
}

UsualDuration usual_duration(const Model& model, const ChooseOptions& options) {
    PilotRuns runs(model, options);
    return duration_by_time_scales(runs, options, fastest_time_scale(runs, options));
}

Choice choose(const Model& model, const ChooseOptions& options) { return Chooser(model, options).choose(); }

}  // namespace libration
