// `compare`: a table of work and precision, and its figure.
#include "commands.hpp"
#include "examples.hpp"
#include "stop_request.hpp"
#include "terminal.hpp"

#include "analysis/interruption.hpp"
#include "analysis/json.hpp"
#include "analysis/work_precision.hpp"
#include "integrate/assembly_words.hpp"
#include "request/assignments.hpp"
#include "request/study_request.hpp"
#include "text/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration::app {

namespace {

std::string error_text(double error) { return std::isnan(error) ? "-" : fmt::format("{:.2e}", error); }

void print_row(const CompareRow& row, bool constrained) {
    fmt::print("{:>10.4g}{:>9}", row.step, grouped(row.steps));
    if (row.failure) {
        fmt::print("  {}\n", red(fmt::format("failed at step {}", grouped(row.failure->step)), stdout));
        return;
    }
    fmt::print("{:>10}{:>10}", error_text(row.error_q), error_text(row.error_p));
    fmt::print("{}", constrained ? fmt::format("{:>10}", error_text(row.error_lambda)) : "");
    fmt::print("{:>10}{:>10}", error_text(row.energy_error), grouped(row.evaluations.force));
    fmt::print("{}", constrained ? fmt::format("{:>10}", grouped(row.evaluations.constraint)) : "");
    fmt::print("{:>10.1e}\n", row.seconds);
}

// Why the runs are shorter than those of the model, and where they start if that is not the model's start.
std::string duration_note(const Comparison& comparison) {
    std::string text;
    if (const auto whole = comparison.shortened_from) {
        text +=
            fmt::format("  shortened from {:.6g} to {:.6g} to keep the comparison short; --duration {:.10g} compares "
                        "all of it\n",
                        *whole, comparison.duration, *whole);
    }
    return text + (comparison.start ? fmt::format("  start {}\n", to_text(*comparison.start)) : "");
}

// What errors of positions mean: where, and against what.
std::string errors_note(const Comparison& comparison) {
    const auto& reference = comparison.reference;
    if (!comparison.compared_at) {
        return "  No errors shown: no reference solution could be computed; try a shorter --duration or smaller "
               "steps.\n";
    }
    std::string text;
    if (comparison.horizon) {
        text = fmt::format("  chaotic: positions cannot be compared after t = {:.6g}; they are compared at t = {:.6g}, "
                           "energies over the whole duration.\n",
                           *comparison.horizon, *comparison.compared_at);
    }
    if (!comparison.horizon && *comparison.compared_at < comparison.duration) {
        text =
            fmt::format("  chaotic: positions are known well until t = {:.6g} only; they are compared there, energies "
                        "over the whole duration.\n",
                        *comparison.compared_at);
    }
    const bool at_end = *comparison.compared_at == comparison.duration;
    return text + fmt::format("  Relative errors at {} against {} with {} steps in {} precision, accurate to {:.0e}.\n",
                              at_end ? "the final time" : fmt::format("t = {:.6g}", *comparison.compared_at),
                              reference.method, grouped(reference.steps), reference.quadruple ? "quadruple" : "double",
                              reference.accuracy);
}

void print_comparison(const Comparison& comparison) {
    std::size_t width = 8;
    for (const auto& row : comparison.rows) {
        width = std::max(width, row.method.size());
    }
    const bool constrained = comparison.constrained;
    fmt::print("{}  over t = {:.10g}\n{}\n", bold(comparison.model, stdout), comparison.duration,
               duration_note(comparison));
    const auto header = fmt::format("  {:<{}}{:>10}{:>9}{:>10}{:>10}{}{:>10}{:>10}{}{:>10}", "method", width, "step",
                                    "steps", "error q", "error p", constrained ? fmt::format("{:>10}", "lambda") : "",
                                    "energy", "forces", constrained ? fmt::format("{:>10}", "constr.") : "", "seconds");
    fmt::print("{}\n", bold(header, stdout));
    std::string shown;
    for (const auto& row : comparison.rows) {
        fmt::print("  {:<{}}", row.method == shown ? "" : row.method, width);
        shown = row.method;
        print_row(row, constrained);
    }
    fmt::print("\n{}", errors_note(comparison));
    fmt::print("  Energy: maximum absolute error along the run. Forces{}: number of evaluations.\n",
               constrained ? " and constraints" : "");
}

void check_compare_arguments(const CompareRequest& request) {
    if (request.model.empty()) {
        throw InputError("MODEL is missing; e.g. 'libration compare double-pendulum'; 'libration problems' lists the "
                         "built-in problems");
    }
    if (request.duration && !(*request.duration > 0)) {
        throw InputError("--duration must be positive");
    }
    if (request.plot_by && !request.plot) {
        throw InputError("--plot-by needs --plot FILE.svg");
    }
    if (request.plot) {
        refuse_existing(*request.plot, request.overwrite);
    }
}

// With the progress on standard error; Ctrl-C ends it with the rows that are there.
Comparison attended_comparison(const Model& model, CompareOptions& options, bool quiet) {
    const Interruptible watching(stop_signal);
    ProgressBar bar;
    if (!quiet) {
        options.progress = [&bar](const CompareProgress& now) {
            const auto note = now.done < now.total
                                  ? fmt::format("run {} of {}: {}", now.done + 1, now.total, now.running)
                                  : fmt::format("{} runs", now.total);
            bar.show({.seconds = now.seconds, .fraction = now.done < now.total ? std::min(now.fraction, 0.999) : 1},
                     note);
        };
    }
    auto comparison = compare(model, options);
    bar.close();
    return comparison;
}

int start_compare(const CompareRequest& request) {
    check_compare_arguments(request);
    watch_for_stop_requests();
    CompareOptions options{.methods = {}, .steps = request.steps_list, .duration = request.duration.value_or(0)};
    if (request.methods) {
        for (const auto& spec : split_methods(*request.methods)) {
            options.methods.push_back(method(spec, request.force ? Doubts::accept : Doubts::refuse));
        }
    }
    options.project = request.project;
    const auto comparison =
        attended_comparison(Model::load(request.model, read_assignments(request.set)), options, request.quiet);
    const auto& rows = comparison.rows;
    if (request.json) {
        fmt::print("{}\n", json_of(comparison));
    } else if (!rows.empty()) {
        print_comparison(comparison);
    }
    const bool none = std::ranges::all_of(rows, [](const CompareRow& row) { return row.failure.has_value(); });
    if (request.plot && !none) {
        const auto work = request.plot_by == "seconds" ? plot::Work::seconds : plot::Work::evaluations;
        write_text_file(*request.plot, plot::to_svg(plot::work_precision_figure(comparison, work)));
        if (!request.json) {
            fmt::print("  Figure: {}\n", *request.plot);
        }
    }
    if (!comparison.complete) {
        fmt::print(stderr, "stopped; {}\n",
                   rows.empty() ? "no run was finished" : "runs that were not finished are missing in the table");
        return success;
    }
    return none ? numerical_failure : success;
}

}  // namespace

Command compare_command() {
    return make_command<CompareRequest>(
        "compare", "compare the accuracy and cost of several methods and step sizes (work-precision diagram)",
        compare_examples, compare_fields, start_compare);
}

}  // namespace libration::app
