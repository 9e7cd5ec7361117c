// What a request says itself overrides [run]: with an accuracy in the request, method and step of [run] do not count.
#include "chosen_settings.hpp"

#include <libration/integrate/run_settings.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

constexpr const char* by_itself = "auto";

// Method, step and length as far as they are given.
struct Given {
    std::optional<std::string> method;
    std::optional<double> step, duration, error, energy_error;
    std::optional<std::int64_t> steps;
    bool automatic = false;  // the method is to be chosen, whatever the step

    [[nodiscard]] bool asks_for_accuracy() const { return error || energy_error; }
};

Given given_by(const Model& model, const RunRequest& request) {
    const auto& run = model.run;
    Given given{request.method, request.step, request.duration, request.error, request.energy_error,
                request.steps,  false};
    if (!given.duration && !given.steps) {
        given.duration = run.duration;
        given.steps = run.steps;
    }
    if (!given.asks_for_accuracy()) {
        const bool both_given = request.method && *request.method != by_itself && request.step;
        if (!both_given) {
            given.error = run.error;
            given.energy_error = run.energy_error;
        }
        given.method = given.method ? given.method : run.method;
        given.step = given.step || request.method == by_itself ? given.step : run.step;
    }
    given.automatic = given.method == by_itself;
    if (given.automatic) {
        given.method.reset();
    }
    return given;
}

void check_given(const Given& given, const RunRequest& request) {
    if (!given.asks_for_accuracy() || !given.method || !given.step) {
        return;
    }
    const std::string asked = given.error ? "error" : "energy_error";
    const bool own = request.method && request.step;
    throw InputError({.argument = asked,
                      .problem = own ? "method and step size are chosen for it, and both are given"
                                     : "method and step size are chosen for it, and [run] of the model gives both",
                      .remedy = fmt::format("omit `{}`, `method` or `step`", asked)});
}

bool is_left(const Given& given, const RunRequest& request) {
    if (request.adaptive) {  // its steps follow a tolerance
        return false;
    }
    return given.asks_for_accuracy() || given.automatic || !given.step || (!given.duration && !given.steps);
}

double length_in_time(const Given& given) { return static_cast<double>(*given.steps) * *given.step; }

void refuse_adaptive(const Given& given, const RunRequest& request) {
    if (request.adaptive && (request.error || request.energy_error || given.automatic)) {
        throw InputError({.argument = "adaptive",
                          .problem = "constant step sizes are chosen, and adaptive ones follow `tol`",
                          .remedy = given.automatic ? "name a method, or omit `adaptive`"
                                                    : "omit `adaptive`, or `error` and `energy_error`"});
    }
}

}  // namespace

bool leaves_choice(const Model& model, const RunRequest& request) {
    const auto given = given_by(model, request);
    refuse_adaptive(given, request);
    if (!is_left(given, request)) {
        return false;
    }
    check_given(given, request);
    return true;
}

ChosenSettings settings_of(const Choice& choice) {
    return {choice.method, choice.step, choice.duration, choice.predicted.error, choice.predicted.energy_error,
            choice.reason};
}

std::string line_of(const ChosenSettings& chosen) {
    return fmt::format("method {}, step {}, duration {}: {}", chosen.method, chosen.step, chosen.duration,
                       chosen.reason);
}

std::optional<ChosenSettings> choose_for(const Model& model, RunRequest& request, const ChoiceWatch& watch) {
    if (!leaves_choice(model, request)) {
        return std::nullopt;
    }
    const auto given = given_by(model, request);
    ChooseOptions options;
    options.error = given.error;
    options.energy_error = given.energy_error;
    options.method = given.method;
    options.project = request.project;
    options.doubts = request.force ? Doubts::accept : Doubts::refuse;
    options.start_time = watch.start_time;
    options.stop = watch.stop;
    options.progress = watch.progress;
    if (given.steps && !given.step) {
        throw InputError({.argument = request.steps ? "steps" : "[run] steps",
                          .value = std::to_string(*given.steps),
                          .problem = "the step size is chosen, so that a number of steps is no length",
                          .remedy = "give `duration = T`, or `step = H`"});
    }
    options.duration = given.steps ? length_in_time(given) : given.duration;
    options.step = given.step;
    ChosenSettings chosen;
    if (given.step && (given.method || !given.automatic) && !given.asks_for_accuracy()) {
        // Only the length is missing.
        RunRequest completed = request;
        completed.duration = 1;
        complete(completed, model);
        const auto duration = usual_duration(model, options);
        chosen = {*completed.method,
                  *given.step,
                  std::copysign(duration.duration, *given.step),
                  std::nan(""),
                  std::nan(""),
                  fmt::format("the duration is {:g} times the slowest time scale of the motion, {:.3g}",
                              usual_time_scales, duration.slowest)};
        const double steps = std::max(1.0, std::round(chosen.duration / chosen.step));
        chosen.duration = steps * chosen.step;
    } else {
        chosen = settings_of(choose(model, options));
    }
    request.method = chosen.method;
    request.step = chosen.step;
    if (!request.steps) {
        request.duration = chosen.duration;
        if (given.steps) {
            request.steps = given.steps;
            request.duration.reset();
        }
    }
    return chosen;
}

}  // namespace libration
