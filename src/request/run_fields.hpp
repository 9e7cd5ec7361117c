// The table of what can be asked of a run: names, kinds, help, checks, and where each is asked for.
#pragma once

#include "assignments.hpp"
#include "field.hpp"
#include <libration/request/run_request.hpp>

#include <array>
#include <charconv>

namespace libration {

// "90s", "30min", "2h", "1d", or a number of seconds. InputError for anything else.
inline double seconds_of(const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    const double seconds = unit.empty() || unit == "s" ? 1
                           : unit == "min"             ? 60
                           : unit == "h"               ? 3600
                           : unit == "d"               ? 86400
                                                       : 0;
    constexpr double most = 1e9;  // thirty years; clocks count nanoseconds
    if (error != std::errc{} || !(number * seconds > 0 && number * seconds < most)) {
        throw InputError({.argument = "time_limit",
                          .value = text.empty() ? "\"\"" : text,
                          .problem = "expected a time such as 90s, 30min, 2h or 1d"});
    }
    return number * seconds;
}

// In the order of the help.
inline constexpr std::array run_fields{
    RequestField<RunRequest>{"model", &RunRequest::model, "MODEL",
                             "a built-in problem (see `libration problems`), or a model file ending in .toml",
                             use::command | use::ensemble},
    RequestField<RunRequest>{"method", &RunRequest::method, "SPEC",
                             "integration method, see `libration methods`, or auto: chosen for `error` (default: that "
                             "of the model)",
                             use::both | use::run_section | use::ensemble | use::kept},
    RequestField<RunRequest>{"step", &RunRequest::step, "H", "step size; may be negative",
                             use::both | use::run_section | use::ensemble | use::kept},
    RequestField<RunRequest>{"duration", &RunRequest::duration, "T",
                             "length of the run: round(T/H) steps; H is never adjusted",
                             use::both | use::run_section | use::ensemble},
    RequestField<RunRequest>{"steps", &RunRequest::steps, "N", "number of steps, instead of `duration`",
                             use::both | use::run_section | use::ensemble},
    RequestField<RunRequest>{
        "error", &RunRequest::error, "E",
        "choose method and step size, where they are not given, for this relative error of q and p "
        "at the end (default: 1e-6)",
        use::both | use::run_section | use::ensemble | use::kept},
    RequestField<RunRequest>{"energy_error", &RunRequest::energy_error, "E",
                             "likewise for this absolute energy error along the run; with `error`: for both",
                             use::both | use::run_section | use::ensemble | use::kept},
    RequestField<RunRequest>{.name = "set",
                             .member = &RunRequest::set,
                             .value = "NAME=VALUE",
                             .help =
                                 "override a parameter or an initial value (x, p_x, v_x) of the model; may be repeated",
                             .uses = use::command | use::ensemble,
                             .check = check_assignment},
    RequestField<RunRequest>{"out", &RunRequest::out, "FILE.h5|FILE.csv", "record the trajectory"},
    RequestField<RunRequest>{"every", &RunRequest::every, "K",
                             "record every K-th step, and always the first and the last", use::both | use::kept, "1"},
    RequestField<RunRequest>{
        "monitor", &RunRequest::monitor, "K",
        "monitor energy, constraint residuals and invariants every K steps; 0: only at start and end",
        use::both | use::kept, "1"},
    RequestField<RunRequest>{
        "resume", &RunRequest::resume, "FILE.h5",
        "continue a recorded run in place, bitwise identical to an uninterrupted one; `steps` may be "
        "larger",
        use::command},
    RequestField<RunRequest>{"stop_if", &RunRequest::stop_if, "COND",
                             "stop at the first step where this holds, e.g. \"y > 0 and v_y < 0\"",
                             use::both | use::kept},
    RequestField<RunRequest>{
        "adaptive", &RunRequest::adaptive, "reversible|standard",
        "adaptive step size, H is the initial guess; reversible: time-reversible step-size selection",
        use::both | use::kept},
    RequestField<RunRequest>{.name = "tol",
                             .member = &RunRequest::tol,
                             .value = "TOL",
                             .help = "for `adaptive`: tolerance for the error per step, e.g. 1e-8",
                             .uses = use::both | use::kept,
                             .attribute = "tolerance"},
    RequestField<RunRequest>{
        "estimator", &RunRequest::estimator, "symmetric|antisymmetric",
        "for `adaptive`: error estimator (default: symmetric; antisymmetric for methods with two stages)",
        use::both | use::kept},
    RequestField<RunRequest>{"at", &RunRequest::at, "LIST",
                             "record the states at these times instead of every K-th step: 0.5,pi,7 or first:step:last",
                             use::both | use::kept},
    RequestField<RunRequest>{
        .name = "events",
        .member = &RunRequest::events,
        .value = "EVENT",
        .help =
            "event: a zero crossing of an expression, \"[name:] EXPR [rising|falling] [terminal]\"; may be repeated",
        .uses = use::both | use::kept,
        .option = "event"},
    RequestField<RunRequest>{"events_out", &RunRequest::events_out, "FILE.csv",
                             "write the states at all events, one per line", use::command},
    RequestField<RunRequest>{"backend", &RunRequest::backend, "auto|interpreted|generated",
                             "execution engine: JIT-compiled machine code or the interpreter, with bitwise identical "
                             "results; auto compiles long runs",
                             use::both | use::ensemble | use::beside_resume, "auto"},
    RequestField<RunRequest>{.name = "time_limit",
                             .member = &RunRequest::time_limit,
                             .value = "TIME",
                             .help =
                                 "stop cleanly after this time (90s, 30min, 2h, 1d); with `out` it can be continued",
                             .uses = use::both | use::run_section | use::ensemble | use::beside_resume,
                             .check = [](const std::string& text) { (void)seconds_of(text); }},
    RequestField<RunRequest>{"project", &RunRequest::project, "",
                             "move inconsistent initial values onto the constraints",
                             use::both | use::ensemble | use::kept},
    RequestField<RunRequest>{"force", &RunRequest::force, "",
                             "accept a method that is rejected as unsuitable for the model, for demonstrations",
                             use::both | use::ensemble},
    RequestField<RunRequest>{"overwrite", &RunRequest::overwrite, "", "replace an existing `out` or `events_out` file",
                             use::both | use::ensemble},
    RequestField<RunRequest>{"strict", &RunRequest::strict, "", "exit with status 1 if the verdict is \"meaningless\"",
                             use::command | use::beside_resume},
    RequestField<RunRequest>{"json", &RunRequest::json, "", "print the result as one JSON object",
                             use::command | use::ensemble | use::beside_resume},
    RequestField<RunRequest>{"full", &RunRequest::full, "", "with `json`: include arrays of more than 10,000 entries",
                             use::command | use::ensemble | use::beside_resume},
    RequestField<RunRequest>{"quiet", &RunRequest::quiet, "", "do not show progress",
                             use::command | use::ensemble | use::beside_resume},
};

}  // namespace libration
