// What a recorded run holds, at a glance.
#include "analysis/list.hpp"
#include "analysis/option_reading.hpp"
#include "integrate/extremes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace libration {

namespace {

double largest_change(std::span<const double> values) {
    const auto [low, high] = extremes_of(values);
    return std::max(high - values.front(), values.front() - low);
}

double highest_of(std::span<const double> values) { return extremes_of(values).high; }

std::vector<double> observable_along(const Trajectory& trajectory, std::size_t index) {
    std::vector<double> values;
    for (const auto& row : trajectory.observables) {
        values.push_back(row[index]);
    }
    return values;
}

plot::Figure energy_figure(const Trajectory& trajectory) {
    plot::Figure figure{.title = fmt::format("{}{}{}: energy error", trajectory.model.name,
                                             trajectory.method.empty() ? "" : ", ", trajectory.method)};
    figure.x.label = "t";
    figure.y.label = "H \u2212 H(first)";
    plot::Series series{.name = "", .x = trajectory.t, .y = trajectory.energy};
    for (double& value : series.y) {
        value -= trajectory.energy.front();
    }
    figure.series.push_back(std::move(series));
    return figure;
}

AnalysisResult summarise(const Trajectory& trajectory, const AnalysisOptions&) {
    AnalysisResult result;
    const auto add = [&](const std::string& name, double value, const std::string& meaning) {
        result.numbers.push_back({name, value, meaning});
    };
    const double energy_error = largest_change(trajectory.energy);
    add("rows", static_cast<double>(trajectory.rows()), "recorded states");
    if (!trajectory.method.empty()) {  // a CSV file does not say
        add("steps", static_cast<double>(trajectory.step.back() - trajectory.step.front()),
            "steps between the first and the last state");
    }
    add("t_first", trajectory.t.front(), "time of the first state");
    add("t_last", trajectory.t.back(), "time of the last state");
    add("energy_initial", trajectory.energy.front(), "H at the first state");
    add("energy_error_max", energy_error, "maximum |H - H(first)|");
    add("energy_error_last", trajectory.energy.back() - trajectory.energy.front(), "H - H(first) at the last state");
    add("constraint_max", highest_of(trajectory.constraint), "maximum |g_i|");
    add("hidden_max", highest_of(trajectory.hidden), "maximum |(G v)_i|");
    for (std::size_t k = 0; k < trajectory.model.observables.size(); ++k) {
        const auto& observable = trajectory.model.observables[k];
        const auto values = observable_along(trajectory, k);
        if (observable.invariant) {
            add(observable.name + "_error_max", largest_change(values),
                fmt::format("maximum change of the invariant {}", observable.name));
        } else {
            add(observable.name + "_min", extremes_of(values).low, "minimum of " + observable.name);
            add(observable.name + "_max", highest_of(values), "maximum of " + observable.name);
        }
    }
    result.verdict =
        fmt::format("{} state{} from t = {:.10g} to {:.10g}; {}, constraint residuals are at most {}",
                    trajectory.rows(), trajectory.rows() == 1 ? "" : "s", trajectory.t.front(), trajectory.t.back(),
                    trajectory.model.field ? "the model is a vector field without a Hamiltonian"
                                           : fmt::format("H changes by at most {}", shown(energy_error)),
                    shown(highest_of(std::array{highest_of(trajectory.constraint), highest_of(trajectory.hidden)})));
    result.figures.push_back(energy_figure(trajectory));
    return result;
}

}  // namespace

AnalysisRecord summary_analysis() {
    return {.name = "summary",
            .summary =
                "Overview of the run: states, times, extremes of energy error, constraint residuals and observables.",
            .options = {},
            .run = summarise,
            .least_rows = 1,
            .needs = AnalysisRecord::Needs::states};
}

}  // namespace libration
