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

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
// Of the first look at a motion, in units of its fastest time scale.
constexpr double first_window = 32;
// The pilots of all candidates together take about this many times the work of the reference method.
constexpr double pilots_a_choice = 40;
// Of errors that are extrapolated.
constexpr double safety = 1.4;
// Numbers of steps of pilots over a part of the duration are multiples of this: as many states are compared.
constexpr std::int64_t states_on_the_way = 16;
// What double precision can reach at best.
constexpr double least_accuracy = 1e-13;

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

FineSolution Chooser::reference_over(double window, double step, double accuracy, double most_work) {
    auto methods = candidate_methods(runs_.properties(), runs_.constraints());
    std::erase_if(methods, [](const Method& m) { return !m.is_map(); });
    if (methods.empty()) {
        methods = candidate_methods(runs_.properties(), runs_.constraints());
    }
    std::ranges::stable_sort(methods, std::greater{}, [&](const Method& m) {
        return m.claims(runs_.properties(), runs_.constraints()).order;
    });
    methods.erase(methods.begin() + std::min<std::ptrdiff_t>(3, std::ssize(methods)), methods.end());
    std::optional<FineSolution> best;
    for (const auto& one : methods) {
        const auto steps = static_cast<std::int64_t>(std::ceil(window / (step * relative_step(one))));
        auto solution = fine_solution(runs_, one, steps, std::copysign(window, duration_),
                                      {.accuracy = accuracy, .asked = error_.value_or(1e-3), .most_work = most_work});
        if (!solution.pilot.completed() || solution.pilot.q.empty()) {
            best = best ? best : solution;
            continue;  // the next one may get through
        }
        return solution;
    }
    return *best;
}

double Chooser::growth_factor(double window) const {
    const double ratio = length_ / window;
    if (ratio <= 1) {
        return 1;
    }
    if (fine_ && fine_->chaotic) {
        return std::exp(fine_->rate * (length_ - window));
    }
    return fine_ && fine_->exponent > 1.6 ? ratio * ratio : ratio;
}

LadderGoal Chooser::goal_over(double window) const {
    const double cautious = window < std::abs(duration_) && length_ == std::abs(duration_) ? safety : 1;
    LadderGoal goal;
    goal.error = error_ ? *error_ / growth_factor(window) / cautious : goal.error;
    goal.energy = energy_error_ ? *energy_error_ / cautious : goal.energy;
    return goal;
}

// Errors of positions grow so fast that they cannot be promised at the end.
void Chooser::give_up_positions(const FineSolution& lost) {
    choice_.growth = ErrorGrowthKind::chaotic;
    choice_.horizon = lost.horizon;
    if (lost.converged && lost.rate > 0) {
        choice_.horizon = window_ + std::max(0.0, std::log(*error_ / std::max(lost.accuracy, least_accuracy)) / lost.rate);
    }
    const auto& properties = runs_.properties();
    if (properties.conservative && properties.hamiltonian) {
        const double size = lost.pilot.kinetic > 0 ? lost.pilot.kinetic : 1;
        energy_error_ = std::min(energy_error_.value_or(std::numeric_limits<double>::infinity()), *error_ * size);
        error_.reset();
        fine_.reset();
        return;
    }
    length_ = window_ = 0.7 * choice_.horizon;
    if (!(length_ > 0)) {
        throw InputError(words_of_lost_reference(choice_, lost));
    }
    fine_ = reference_over(length_, lost.pilot.duration / static_cast<double>(lost.pilot.steps), *error_ / 4,
                           options_->budget);
}

void Chooser::find_reference() {
    const double whole_time = std::abs(duration_), time_scale = fastest_ > 0 ? fastest_ : whole_time / 100;
    const double least = options_->step ? states_on_the_way * std::abs(*options_->step) : 0;
    const auto accuracy_over = [&](double window) {
        return error_ ? std::max(*error_ * window / whole_time / 4, least_accuracy / 10) : 1e-3;
    };
    window_ = std::min(whole_time, std::max(first_window * time_scale, least));
    auto first = reference_over(window_, 0.5 * time_scale, accuracy_over(window_), options_->budget);
    if (first.pilot.q.empty()) {
        throw InputError(words_of_lost_reference(choice_, first));
    }
    const double first_step = window_ / static_cast<double>(first.pilot.steps);
    const double density = first.pilot.work / window_;
    if (window_ < whole_time) {
        const double affordable = options_->budget / (pilots_a_choice * density);
        window_ = affordable > whole_time / 1.3 ? whole_time : std::max(window_, affordable);
    }
    fine_ = std::move(first);
    const double begun = std::abs(fine_->pilot.duration);
    if (window_ > begun * 1.01 && (error_ || begun * 8 < window_)) {
        // Twice the step: the last doubling is made again over the longer time.
        fine_ = reference_over(window_, error_ ? 2 * first_step / 4 : first_step, accuracy_over(window_), options_->budget);
    }
    for (int shorter = 0; error_ && !fine_->converged && !fine_->chaotic && shorter < 3; ++shorter) {
        if (fine_->accuracy <= *error_ / 2 && whole()) {
            break;  // less than planned, and enough
        }
        if (fine_->pilot.q.empty() || window_ < 4 * first_window * time_scale) {
            throw InputError(words_of_lost_reference(choice_, *fine_));
        }
        window_ /= 4;
        fine_ = reference_over(window_, first_step, accuracy_over(window_), options_->budget);
    }
    choice_.growth = fine_->chaotic          ? ErrorGrowthKind::chaotic
                     : fine_->exponent > 1.6 ? ErrorGrowthKind::quadratic
                                             : ErrorGrowthKind::linear;
    if (error_ && fine_->chaotic) {
        const bool lost = !fine_->converged && !(whole() && fine_->accuracy <= *error_ / 2);
        if (lost || *error_ / growth_factor(window_) < least_accuracy) {
            const auto solution = *fine_;
            give_up_positions(solution);
        }
    }
    if (!error_) {
        fine_.reset();
    }
    if (options_->step && window_ < whole_time) {
        const double unit = states_on_the_way * std::abs(*options_->step);
        window_ = unit * std::max(1.0, std::floor(window_ / unit));
    }
}

void Chooser::climb_ladders() {
    const double time_scale = fastest_ > 0 ? fastest_ : std::abs(duration_) / 100;
    const bool at_the_end = window_ == length_ || !error_;
    LadderSetting setting{.window = std::copysign(window_, duration_),
                          .first_step = std::min(0.5 * time_scale, window_),
                          .multiple = at_the_end ? 1 : states_on_the_way,
                          .most_work = runs_.spent() + 3 * options_->budget,
                          .goal = goal_over(window_),
                          .fine = fine_ ? &*fine_ : nullptr};
    if (options_->step) {
        setting.only = std::max<std::int64_t>(1, std::llround(window_ / std::abs(*options_->step)));
    }
    auto ladders = LadderSearch(runs_, setting).climb(methods_);
    if (!ladders.front().best) {
        throw InputError(nothing_met(ladders));
    }
    if (window_ < length_ && !options_->step) {
        confirm(ladders.front());
    }
    write(ladders.front(), ladders);
}

// Numbers of steps are corrected over the whole duration.
void Chooser::confirm(Ladder& winner) {
    const double ratio = length_ / window_;
    const double pilots = (fine_ ? 4 * fine_->pilot.work : 0) + 2 * winner.best->work;
    if (ratio * pilots > options_->budget) {
        return;
    }
    std::optional<FineSolution> fine;
    if (fine_) {
        const double step = 2 * window_ / static_cast<double>(fine_->pilot.steps);
        fine = reference_over(length_, step / relative_step(method(fine_->method)), *error_ / 4,
                              2 * options_->budget);
        if (!fine->converged) {
            return;
        }
    }
    LadderSetting setting{.window = duration_,
                          .start = static_cast<std::int64_t>(std::ceil(static_cast<double>(winner.best->steps) * ratio)),
                          .most_work = runs_.spent() + options_->budget,
                          .fine = fine ? &*fine : nullptr};
    setting.goal.error = error_.value_or(setting.goal.error);
    setting.goal.energy = energy_error_.value_or(setting.goal.energy);
    auto again = LadderSearch(runs_, setting).climb({winner.method});
    if (again.front().best) {
        winner = std::move(again.front());
        window_ = length_;
        fine_ = std::move(fine);
    }
}

std::string Chooser::nothing_met(const std::vector<Ladder>& ladders) const {
    return words_of_failure(choice_, ladders, growth_factor(window_), options_->step.has_value());
}

void Chooser::write(const Ladder& winner, const std::vector<Ladder>& ladders) {
    const double ratio = std::abs(duration_) / window_, growth = growth_factor(window_);
    choice_.method = winner.method.name();
    choice_.steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(static_cast<double>(winner.best->steps) * ratio - 1e-9)));
    choice_.step = options_->step ? *options_->step : duration_ / static_cast<double>(choice_.steps);
    choice_.window = window_;
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
        const auto steps = &ladder == &winner ? static_cast<double>(choice_.steps) : static_cast<double>(rung->steps) * ratio;
        choice_.candidates.push_back({ladder.method.name(), duration_ / steps, rung->error * growth, rung->energy_error,
                                      rung->work * ratio, verdict_of(ladder, winner)});
    }
    choice_.reason = words_of_reason(choice_, energy_error_);
}

Choice Chooser::choose() {
    find_duration();
    find_reference();
    climb_ladders();
    return std::move(choice_);
}

UsualDuration usual_duration(const Model& model, const ChooseOptions& options) {
    PilotRuns runs(model, options);
    return duration_by_time_scales(runs, options, fastest_time_scale(runs, options));
}

Choice choose(const Model& model, const ChooseOptions& options) { return Chooser(model, options).choose(); }

}  // namespace libration
