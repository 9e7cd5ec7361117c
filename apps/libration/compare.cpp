// `compare`: a table of work and precision, and its figure.
#include "commands.hpp"
#include "terminal.hpp"

#include <libration/analysis/work_precision.hpp>
#include <libration/io/json.hpp>
#include <libration/io/text_file.hpp>
#include <libration/text/error.hpp>

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
        fmt::print("\n  No errors: no reference could be computed; a shorter --duration or smaller steps may help.\n");
    } else {
        fmt::print("\n  Errors at the end, relative, against {} with {} steps in {} precision, known to {:.0e}.\n",
                   reference.method, grouped(reference.steps), reference.quadruple ? "quadruple" : "double",
                   reference.accuracy);
    }
    fmt::print("  Energy: its largest error on the way, absolute. Forces{}: number of evaluations.\n",
               constrained ? " and constraints" : "");
}

void check_compare_arguments(const CompareArguments& arguments) {
    if (arguments.model.empty()) {
        throw InputError(
            "which model? e.g. 'libration compare double-pendulum'; 'libration problems' lists those built in");
    }
    if (arguments.duration && !(*arguments.duration > 0)) {
        throw InputError("--duration must be positive");
    }
    if (arguments.plot_by && !arguments.plot) {
        throw InputError("--plot-by needs --plot FILE.svg");
    }
    if (arguments.plot_by && *arguments.plot_by != "evaluations" && *arguments.plot_by != "seconds") {
        throw InputError(fmt::format("--plot-by {}: expected evaluations or seconds", *arguments.plot_by));
    }
    if (arguments.plot) {
        if (!arguments.plot->ends_with(".svg")) {
            throw InputError(fmt::format("--plot {}: the name must end in .svg", *arguments.plot));
        }
        refuse_existing(*arguments.plot, arguments.overwrite);
    }
}

}  // namespace

int compare_command(const CompareArguments& arguments) {
    check_compare_arguments(arguments);
    CompareOptions options{.methods = {}, .steps = arguments.steps, .duration = arguments.duration.value_or(0)};
    if (arguments.methods) {
        for (const auto& spec : split_methods(*arguments.methods)) {
            options.methods.push_back(method(spec, arguments.force ? Doubts::accept : Doubts::refuse));
        }
    }
    const auto comparison = compare(Model::load(arguments.model, read_assignments(arguments.assignments)), options);
    if (arguments.json) {
        fmt::print("{}\n", json_of(comparison));
    } else {
        print_comparison(comparison);
    }
    const bool all_failed =
        std::ranges::all_of(comparison.rows, [](const CompareRow& row) { return row.failure.has_value(); });
    if (arguments.plot && !all_failed) {
        const auto work = arguments.plot_by == "seconds" ? plot::Work::seconds : plot::Work::evaluations;
        write_text_file(*arguments.plot, plot::to_svg(plot::work_precision_figure(comparison, work)));
        if (!arguments.json) {
            fmt::print("  Figure: {}\n", *arguments.plot);
        }
    }
    return all_failed ? numerical_failure : success;
}

}  // namespace libration::app
