// A summary that a newcomer understands: what ran, what was kept, where it ended.
#include "summary.hpp"

#include "terminal.hpp"

#include "analysis/check_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration::app {

namespace {

constexpr std::size_t most_state_rows = 12;

// Residuals below this many units of round-off of O(1) quantities deserve the word.
std::string residual_text(double residual) {
    return fmt::format("{:.1e}{}", residual, residual < 1e-13 ? " (round-off)" : "");
}

void print_state(const Run& run, const Model& model) {
    const std::size_t shown = std::min(run.q.size(), most_state_rows);
    const std::size_t rows = std::min(run.lambda.size(), most_state_rows);
    std::size_t width = 13;
    for (std::size_t k = 0; k < shown; ++k) {
        width = std::max(width, characters(model.coordinate_name(k)) + 1);
    }
    for (std::size_t k = 0; k < rows; ++k) {
        width = std::max(width, characters(model.multiplier_name(k)) + 1);
    }
    // A field keeps its v where p stands otherwise, and what stands under v is its q'.
    const bool field = model.field.has_value();
    fmt::print("\n  {:<{}}{:>24}{:>24}{:>24}\n", fmt::format("at t = {}", run.t), width, "q", field ? "v" : "p",
               field ? "q'" : "v");
    for (std::size_t k = 0; k < shown; ++k) {
        fmt::print("  {:<{}}{:>24.16g}{:>24.16g}{:>24.16g}\n", model.coordinate_name(k), width, run.q[k], run.p[k],
                   run.v[k]);
    }
    if (shown < run.q.size()) {
        fmt::print("  ... and {} more coordinates (--out FILE.h5 keeps them, --json prints them)\n",
                   grouped(static_cast<std::int64_t>(run.q.size() - shown)));
    }
    for (std::size_t k = 0; k < rows; ++k) {
        fmt::print("  {:<{}}{:>24.16g}\n", model.multiplier_name(k), width, run.lambda[k]);
    }
}

// The time of a step, which may be nanoseconds or seconds, in at most four digits.
std::string short_time_text(double seconds) {
    if (seconds < 1e-5) {
        return fmt::format("{:.0f} ns", 1e9 * seconds);
    }
    if (seconds < 1e-2) {
        return fmt::format("{:.0f} us", 1e6 * seconds);
    }
    return seconds < 10 ? fmt::format("{:.0f} ms", 1e3 * seconds) : fmt::format("{:.0f} s", seconds);
}

}  // namespace

void summary_line(const char* label, const std::string& text) { fmt::print("  {:<13}{}\n", label, text); }

void print_summary(const Run& run, const Model& model, const std::string& out) {
    const auto status = run.status == RunStatus::completed ? green("completed", stdout)
                        : run.status == RunStatus::stopped ? bold("stopped early", stdout)
                                                           : red("failed", stdout);
    fmt::print("{}  {}\n", bold(run.model, stdout), status);
    if (!model.description.empty()) {
        fmt::print("  {}\n", model.description);
    }
    fmt::print("\n");
    summary_line("method", fmt::format("{} (order {}), {} {}", run.method, run.order,
                                       run.adaptive.options ? "first guess of the step" : "step", run.step));
    if (const auto& asked = run.adaptive.options) {
        summary_line("adaptive",
                     fmt::format("{}, tolerance {}, {} estimator; steps from {:.3g} to {:.3g}, {} rejected",
                                 name(asked->control), asked->tolerance, name(*asked->estimator), run.adaptive.smallest,
                                 run.adaptive.largest, grouped(run.adaptive.rejected)));
    }
    const double each = run.steps_made > 0 ? run.seconds / static_cast<double>(run.steps_made) : 0.0;
    const bool resumed = run.steps_made < run.steps;
    summary_line("steps", fmt::format("{}{} in {} ({} a step)", grouped(run.steps),
                                      resumed ? fmt::format(", of which {} now", grouped(run.steps_made)) : "",
                                      duration_text(run.seconds), short_time_text(each)));
    if (model.field) {
        summary_line("energy", "none: the equations are a field without H");
    } else if (run.energy.conserved) {
        summary_line("energy", fmt::format("{:.12g} at the start, never further away than {:.3g}", run.energy.initial,
                                           run.energy.max_error));
    } else {
        summary_line("energy", fmt::format("{:.12g} at the start, {:.12g} at the end; {} and is not conserved",
                                           run.energy.initial, run.energy.final,
                                           !model.forces.empty()         ? "H changes by forces"
                                           : !model.nonholonomic.empty() ? "H changes by work of reactions"
                                                                         : "H depends on time"));
    }
    if (!run.lambda.empty()) {
        summary_line("constraints", fmt::format("{}, largest |g| = {}, largest |{}| = {}",
                                                grouped(static_cast<std::int64_t>(run.lambda.size())),
                                                residual_text(run.constraint.max), hidden_residual_name(model),
                                                residual_text(run.constraint.hidden_max)));
    }
    for (const auto& invariant : run.invariants) {
        summary_line(invariant.name.c_str(),
                     fmt::format("{:.12g}, conserved to {:.1e}", invariant.initial, invariant.max_error));
    }
    for (const auto& event : run.events) {
        summary_line(event.name.c_str(),
                     event.count == 0
                         ? "never happened"
                         : fmt::format("{} {}, first at t = {:.12g}, last at t = {:.12g}", grouped(event.count),
                                       event.count == 1 ? "event" : "events", event.first, event.last));
    }
    summary_line("work",
                 fmt::format("{} forces, {} Newton corrections, {} factorisations", grouped(run.evaluations.force),
                             grouped(run.evaluations.newton_iterations), grouped(run.evaluations.factorizations)));
    if (run.backend.name != "interpreted") {
        summary_line("code", run.backend.name);
    }
    if (!out.empty()) {
        summary_line("written", out);
    }
    print_state(run, model);
    if (run.failure) {
        fmt::print("\n{} step {} (t = {}): {}\n", red("failed at", stdout), grouped(run.failure->step), run.failure->t,
                   run.failure->message);
    }
}

}  // namespace libration::app
