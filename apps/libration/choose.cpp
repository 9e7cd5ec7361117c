// `libration choose`: method and step size for an accuracy, with the evidence.
#include "chosen.hpp"
#include "commands.hpp"
#include "examples.hpp"
#include "stop_request.hpp"
#include "terminal.hpp"

#include "request/assignments.hpp"
#include "request/study_request.hpp"
#include <libration/io/json.hpp>
#include <libration/model/model.hpp>

#include <fmt/format.h>

#include <cmath>

namespace libration::app {

namespace {

std::string figure_text(double value, const char* form) {
    return std::isnan(value) ? "-" : fmt::format(fmt::runtime(form), value);
}

void print_choice(const Choice& choice) {
    std::size_t width = 8;
    for (const auto& candidate : choice.candidates) {
        width = std::max(width, candidate.method.size());
    }
    fmt::print("{}  {}, step {} ({} steps) over {}\n\n", bold(choice.model, stdout), choice.method, choice.step,
               grouped(choice.steps), choice.duration);
    fmt::print("{}\n", bold(fmt::format("  {:<{}}{:>11}{:>11}{:>11}{:>11}  {}", "method", width, "step", "error",
                                        "energy", "operations", "verdict"),
                            stdout));
    for (const auto& candidate : choice.candidates) {
        fmt::print("  {:<{}}{:>11.4g}{:>11}{:>11}{:>11}  {}\n", candidate.method, width, candidate.step,
                   figure_text(candidate.error, "{:.2e}"), figure_text(candidate.energy_error, "{:.2e}"),
                   figure_text(candidate.work, "{:.2e}"), said(candidate.verdict));
    }
    fmt::print("\n  {}.\n", said(choice.reason));
    fmt::print("  Predicted: error {}, energy error {}, {:.2g} s. Errors of q and p are relative, at the end; energy "
               "errors absolute, the largest.\n",
               figure_text(choice.predicted.error, "{:.2g}"), figure_text(choice.predicted.energy_error, "{:.2g}"),
               choice.predicted.seconds);
    if (choice.slowest > 0) {
        fmt::print("  The duration is {:g} times the slowest time scale seen, {:.3g}.\n", usual_time_scales,
                   choice.slowest);
    }
}

int start_choose(const ChooseRequest& request) {
    if (request.model.empty()) {
        throw InputError("which model? e.g. `libration choose pendulum`; `libration problems` lists those built in");
    }
    watch_for_stop_requests();
    const auto model = Model::load(request.model, read_assignments(request.set));
    ChooseOptions options;
    options.error = request.error;
    options.energy_error = request.energy_error;
    options.duration = request.duration;
    options.method = request.method;
    options.step = request.step;
    options.project = request.project;
    options.stop = &stop_signal;
    Choice choice;
    const bool settled = attended_by_line(request.quiet, [&](const ChoiceProgress& progress) {
        options.progress = progress;
        choice = choose(model, options);
    });
    if (!settled) {
        return success;
    }
    if (!request.run) {
        if (request.json) {
            fmt::print("{}\n", json_of(choice));
        } else {
            print_choice(choice);
        }
        return success;
    }
    if (!request.json) {
        print_choice(choice);
        fmt::print("\n");
    }
    RunRequest run;
    run.model = request.model;
    run.set = request.set;
    run.project = request.project;
    run.json = request.json;
    run.quiet = request.quiet;
    return run_chosen(run, choice);
}

}  // namespace

Command choose_command() {
    return make_command<ChooseRequest>("choose", "choose method and step size for an accuracy, with the evidence",
                                       choose_examples, choose_fields, start_choose);
}

}  // namespace libration::app
