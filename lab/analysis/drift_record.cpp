// Drift of a quantity along a recorded run.
#include "analysis/list.hpp"
#include "analysis/option_reading.hpp"

#include <libration/integrate/drift.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace libration {

namespace {

std::string verdict_of(const Drift& drift, const std::string& of, double duration) {
    const auto slope = fmt::format("slope {} +- {} per unit of time", shown(drift.slope), shown(drift.slope_error));
    if (drift.widens) {
        return fmt::format("{}: the oscillation amplitude of {} in the last fifth is {} times that in the first",
                           to_string(drift.kind), of, shown(drift.amplitude_growth));
    }
    switch (drift.kind) {
        case DriftKind::bounded:
            return fmt::format("bounded: {} stays within {} over {} units of time, without a significant trend ({})",
                               of, shown(drift.range), shown(duration), slope);
        case DriftKind::random_walk:
            return fmt::format("random walk: {} varies by {} over {} units of time, without a significant trend ({})",
                               of, shown(drift.range), shown(duration), slope);
        case DriftKind::linear:
            return fmt::format("linear: {} drifts {} over {} units of time ({})", of,
                               drift.bend > 0.1 ? "along a curve, not steadily," : "steadily", shown(duration), slope);
        case DriftKind::growing:
            return fmt::format(
                "growing: {} departs from its initial values at an accelerating rate ({} in {} units of time)", of,
                shown(drift.last_mean - drift.first_mean), shown(duration));
        case DriftKind::changing:
            return fmt::format("changing: {} goes from {} to {} (means of the first and the last tenth) {}", of,
                               shown(drift.first_mean), shown(drift.last_mean),
                               drift.settled
                                   ? "and settles there"
                                   : "in jumps or along a curve: no steady drift, or the run is too short to tell");
    }
    return {};
}

AnalysisResult run_drift(const Trajectory& trajectory, const AnalysisOptions& options) {
    const auto rows = rows_option(trajectory, options, least_drift_rows);
    const auto of = text_option(options, "of");
    if (trajectory.model.field && (of == "energy" || of == "energy_error")) {
        throw InputError(
            "the model is a vector field without a Hamiltonian: choose a quantity with the option 'of', such as of=x");
    }
    const auto t = part_of(trajectory.t, rows);
    const auto values = part_of(values_along(trajectory, of, "option 'of'"), rows);
    const auto drift = classify_drift(t, values);
    AnalysisResult result{.what = "drift", .verdict = verdict_of(drift, of, std::abs(t.back() - t.front()))};
    result.numbers = {
        {"slope", drift.slope,
         fmt::format("slope of the line through the means of {} blocks of {}, per unit of time", drift.blocks, of)},
        {"slope_error", drift.slope_error, "standard error of the slope, corrected for correlation"},
        {"exponent", drift.exponent, "growth exponent of the spread: about 0 bounded, 0.5 random walk, 1 linear"},
        {"range", drift.range, "maximum minus minimum"},
        {"first_mean", drift.first_mean, "mean of the first tenth"},
        {"last_mean", drift.last_mean, "mean of the last tenth"},
        {"amplitude_growth", drift.amplitude_growth, "median absolute deviation, last fifth / first fifth"},
        {"kind", static_cast<double>(drift.kind), "0 bounded, 1 random walk, 2 linear, 3 growing, 4 changing"},
    };
    plot::Figure figure;
    figure.title = fmt::format("{}: {}", of, to_string(drift.kind));
    figure.x.label = "t";
    figure.y.label = of;
    figure.series.push_back({of, t, values});
    figure.series.push_back({"least-squares line",
                             {t.front(), t.back()},
                             {drift.intercept + drift.slope * t.front(), drift.intercept + drift.slope * t.back()},
                             plot::Style::line});
    result.figures.push_back(std::move(figure));
    return result;
}

}  // namespace

AnalysisRecord drift_analysis() {
    return {.name = "drift",
            .summary = "Energy drift: whether a quantity is bounded, performs a random walk or drifts, with the slope "
                       "and its standard error.",
            .options = {{"of", "energy", "the quantity: a formula as for observables, or energy, energy_error, ..."},
                        from_option(),
                        to_option()},
            .run = run_drift,
            .needs = AnalysisRecord::Needs::states};
}

}  // namespace libration
