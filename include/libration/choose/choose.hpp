// The choice of a method and a step size for an accuracy, from short runs, pilots, whose work is counted.
//
//     const auto choice = choose(model, {.error = 1e-8, .duration = 100});
//     integrate(model, method(choice.method), {.step = choice.step, .duration = choice.duration});
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/methods/method.hpp>
#include <libration/result/record.hpp>

#include <functional>
#include <stdexcept>

namespace [[gnu::visibility("default")]] libration {

struct Model;  // model.hpp

// Without `error` and `energy_error`: an error of this size.
inline constexpr double usual_error = 1e-6;
// Without a duration: this many of the slowest time scales.
inline constexpr double usual_time_scales = 100;

struct ChooseOptions {
    // Of the state at the end: max |dq| / max |q| or max |dp| / max |p|, the larger, as comparisons define it.
    std::optional<double> error;
    std::optional<double> energy_error;  // max |H_n - H_0| along the run, absolute; with `error`: both
    std::optional<double> duration;      // negative: backward; nothing: that of [run], else by the slowest time scale
    std::optional<std::string> method;   // only its step size is chosen
    std::optional<double> step;          // only the method is chosen
    bool project = false;                // project inconsistent initial values onto the manifold
    Doubts doubts = Doubts::refuse;      // for `method`
    double start_time = 0;
    // Operations that all pilots together may take, about (see docs/step-size.md): some seconds. Pilots over the whole
    // duration are made where they fit, otherwise over a part of it.
    double budget = 1e9;
    const StopSignal* stop = nullptr;                       // a requested stop ends the choice with ChoiceInterrupted
    std::function<void(const std::string&)> progress = {};  // told what is being tried
};

// How the error of the state grows with the duration.
enum class ErrorGrowthKind { unknown, linear, quadratic, chaotic };
std::string to_string(ErrorGrowthKind kind);

struct ChoiceCandidate {
    std::string method;
    double step = 0;
    // Predicted for the whole duration; NaN where unknown.
    double error = 0, energy_error = 0;
    double work = 0;      // operations over the whole duration
    std::string verdict;  // "chosen", or why it is not
};

struct Choice {
    std::string model, method;
    double step = 0, duration = 0;
    std::int64_t steps = 0;
    struct {
        std::optional<double> error, energy_error;
    } asked;
    struct {
        double error = 0, energy_error = 0, seconds = 0;  // NaN where unknown
    } predicted;
    double work = 0;        // operations of the run
    double pilot_work = 0;  // operations of all pilots
    double window = 0;      // time over which pilots were made: the duration, or a part of it
    double fastest = 0;     // the fastest time scale at the start, 1/omega
    double slowest = 0;     // the slowest time scale seen; 0: not looked for, because a duration was given
    ErrorGrowthKind growth = ErrorGrowthKind::unknown;
    double horizon = 0;          // of chaotic motion: the time within which positions can be as accurate as asked
    double positions_until = 0;  // signed: the duration, or of chaotic motion without energy the time that decided
    double energy_limit = 0;     // the energy error that was required; 0: none
    std::string criterion;       // error, energy_error or both: what decided
    std::string reason;          // in words
    std::vector<ChoiceCandidate> candidates;
};

// A stop was requested while pilots were running.
struct ChoiceInterrupted : std::runtime_error {
    ChoiceInterrupted() : std::runtime_error("interrupted") {}
};

// The cheapest method and step size that meet the request. InputError where nothing does, with the closest and what
// stands in the way, and where the request or the model is not valid.
Choice choose(const Model& model, const ChooseOptions& options = {});

// The duration of a run for which none is given.
struct UsualDuration {
    double duration = 0, slowest = 0;
};
UsualDuration usual_duration(const Model& model, const ChooseOptions& options = {});

Record record_of(const Choice& choice);

}  // namespace libration
