// Energies of oscillators along a run.
#include "oscillatory.hpp"

#include "analysis/list.hpp"
#include "analysis/option_reading.hpp"
#include "integrate/extremes.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

constexpr std::size_t least_rows = 10;

double deviation_of(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    double mean = 0, squares = 0;
    for (const double value : values) {
        mean += value / n;
    }
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    return std::sqrt(squares / (n - 1));
}

}  // namespace

std::vector<double> tenth_means(std::span<const double> values) {
    std::vector<double> means;
    for (std::size_t part = 0; part < 10; ++part) {
        const std::size_t first = part * values.size() / 10, last = (part + 1) * values.size() / 10;
        double sum = 0;
        for (std::size_t i = first; i < last; ++i) {
            sum += values[i];
        }
        means.push_back(sum / static_cast<double>(last - first));
    }
    return means;
}

OscillatoryEnergies oscillatory_energies(const Trajectory& trajectory, std::span<const std::size_t> coordinates,
                                         double omega) {
    if (trajectory.rows() < least_rows) {
        throw InputError(fmt::format("averages over tenths of a run need at least {} recorded states, there are {}",
                                     least_rows, trajectory.rows()));
    }
    const auto system = make_system<double>(trajectory.model);
    const auto inverse = system->inverse_masses();
    if (inverse.empty()) {
        throw InputError("oscillatory energies need a constant diagonal mass matrix");
    }
    OscillatoryEnergies result;
    result.total.assign(trajectory.rows(), 0.0);
    for (const auto k : coordinates) {
        auto& part = result.parts.emplace_back();
        for (std::size_t row = 0; row < trajectory.rows(); ++row) {
            const double q = trajectory.q[row][k], p = trajectory.p[row][k];
            part.push_back(0.5 * (p * p * inverse[k] + omega * omega * q * q / inverse[k]));
            result.total[row] += part.back();
        }
    }
    const auto [low, high] = extremes_of(result.total);
    result.lowest = low;
    result.highest = high;
    result.tenths = tenth_means(result.total);
    return result;
}

namespace {

AnalysisResult run_oscillatory(const Trajectory& trajectory, const AnalysisOptions& options) {
    if (text_option(options, "coordinates").empty()) {
        throw InputError("the option coordinates is missing: give those of the stiff springs, such as \"q4, q5, q6\"");
    }
    const auto coordinates = coordinates_option(trajectory.model, options, "coordinates");
    const double omega = constant_option(trajectory, options, "omega");
    if (!(omega > 0)) {
        throw InputError(fmt::format("option omega: a frequency must be positive, not {:.6g}", omega));
    }
    const auto found = oscillatory_energies(trajectory, coordinates, omega);
    const auto energies = tenth_means(trajectory.energy);
    AnalysisResult result{.what = "oscillatory"};
    result.verdict =
        fmt::format("the oscillatory energy of {} coordinates stays in [{}, {}]; its averages over tenths of the run "
                    "differ by {}",
                    coordinates.size(), shown(found.lowest), shown(found.highest), shown(range_of(found.tenths)));
    result.numbers = {
        {"initial", found.total.front(), "I at the start"},
        {"lowest", found.lowest, "minimum of I"},
        {"highest", found.highest, "maximum of I"},
        {"tenths_range", range_of(found.tenths), "range of the averages of I over tenths of the run"},
        {"tenths_deviation", deviation_of(found.tenths), "standard deviation of these averages"},
        {"energy_tenths_deviation", deviation_of(energies),
         "standard deviation of the averages of H over tenths of the run"},
        {"energy_tenths_range", range_of(energies), "range of the averages of H over tenths of the run"},
    };
    for (std::size_t k = 0; k < found.tenths.size(); ++k) {
        result.numbers.push_back(
            {fmt::format("tenth_{}", k + 1), found.tenths[k], fmt::format("average of I in tenth {}", k + 1)});
    }
    plot::Figure figure;
    figure.title = fmt::format("Oscillatory energies, omega = {}", shown(omega));
    figure.x.label = "t";
    figure.y.label = "energy";
    figure.series.push_back({"H", trajectory.t, trajectory.energy});
    figure.series.push_back({"I", trajectory.t, found.total});
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        const auto name = trajectory.model.coordinate_name(coordinates[k]);
        const double high = extremes_of(found.parts[k]).high;
        result.numbers.push_back({fmt::format("highest_{}", k + 1), high, fmt::format("maximum energy of {}", name)});
        figure.series.push_back({fmt::format("I_{}", name), trajectory.t, found.parts[k]});
    }
    result.figures.push_back(std::move(figure));
    return result;
}

}  // namespace

AnalysisRecord oscillatory_analysis() {
    return {.name = "oscillatory",
            .summary = "Oscillatory energies of stiff springs and their sum, an adiabatic invariant although the "
                       "springs exchange energy.",
            .options = {{"coordinates", "", "coordinates of the stiff springs, such as \"q4, q5, q6\""},
                        {"omega", "", "their frequency: a number, or a formula of parameters"}},
            .run = run_oscillatory,
            .needs = AnalysisRecord::Needs::model};
}

}  // namespace libration
