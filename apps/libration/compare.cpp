// `compare`: a table of work and precision, and its figure.
#include "commands.hpp"
#include "examples.hpp"
#include "terminal.hpp"

#include "analysis/json.hpp"
#include "analysis/work_precision.hpp"
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

void print_comparison(const Comparison& comparison) {
    std::size_t width = 8;
    for (const auto& row : comparison.rows) {
        width = std::max(width, row.method.size());
    }
    const bool constrained = comparison.constrained;
    fmt::print("{}  over t = {:.10g}\n\n", bold(comparison.model, stdout), comparison.duration);
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
    const auto& reference = comparison.reference;
    if (std::isnan(reference.accuracy)) {
        fmt::print("\n  No errors shown: no reference solution could be computed; try a shorter --duration or smaller "
                   "steps.\n");
    } else {
        fmt::print(
            "\n  Relative errors at the final time against {} with {} steps in {} precision, accurate to {:.0e}.\n",
            reference.method, grouped(reference.steps), reference.quadruple ? "quadruple" : "double",
            reference.accuracy);
    }
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

int start_compare(const CompareRequest& request) {
    check_compare_arguments(request);
    CompareOptions options{.methods = {}, .steps = request.steps_list, .duration = request.duration.value_or(0)};
    if (request.methods) {
        for (const auto& spec : split_methods(*request.methods)) {
            options.methods.push_back(method(spec, request.force ? Doubts::accept : Doubts::refuse));
        }
    }
    const auto comparison = compare(Model::load(request.model, read_assignments(request.set)), options);
    if (request.json) {
        fmt::print("{}\n", json_of(comparison));
    } else {
        print_comparison(comparison);
    }
    const bool all_failed =
        std::ranges::all_of(comparison.rows, [](const CompareRow& row) { return row.failure.has_value(); });
    if (request.plot && !all_failed) {
        const auto work = request.plot_by == "seconds" ? plot::Work::seconds : plot::Work::evaluations;
        write_text_file(*request.plot, plot::to_svg(plot::work_precision_figure(comparison, work)));
        if (!request.json) {
            fmt::print("  Figure: {}\n", *request.plot);
        }
    }
    return all_failed ? numerical_failure : success;
}

}  // namespace

Command compare_command() {
    return make_command<CompareRequest>(
        "compare", "compare the accuracy and cost of several methods and step sizes (work-precision diagram)",
        compare_examples, compare_fields, start_compare);
}

}  // namespace libration::app
