// Twice the kinetic energy and the virial along a run.
#include "averages.hpp"

#include "analysis/list.hpp"
#include "analysis/option_reading.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace libration {

double time_average(std::span<const double> t, std::span<const double> values) {
    return running_average(t, values).back();
}

std::vector<double> running_average(std::span<const double> t, std::span<const double> values) {
    std::vector<double> averages;
    double sum = 0;
    for (std::size_t i = 1; i < t.size(); ++i) {
        sum += 0.5 * (t[i] - t[i - 1]) * (values[i] + values[i - 1]);
        averages.push_back(sum / (t[i] - t[0]));
    }
    return averages;
}

namespace {

double scalar_product(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t k = 0; k < b.size(); ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

// q^T G^T lambda
double reaction_virial(System<double>& system, double t, std::span<const double> q, std::span<const double> lambda,
                       std::vector<double>& entries) {
    const auto& pattern = system.pattern();
    entries.resize(pattern.entries());
    system.jacobian(t, q, entries);
    double sum = 0;
    for (std::size_t i = 0; i < pattern.rows(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            sum += lambda[i] * entries[e] * q[pattern.column[e]];
        }
    }
    return sum;
}

}  // namespace

VirialAverages virial_averages(const Trajectory& trajectory, std::size_t first, std::size_t last) {
    const auto system = make_system<double>(trajectory.model);
    const auto& properties = system->properties();
    if (!properties.hamiltonian || !properties.separable || properties.forced || properties.nonholonomic > 0 ||
        properties.added > 0) {
        throw InputError("averages: the virial theorem requires H = 1/2 p^T M^-1 p + U(q) with constant M and no other "
                         "forces; 'measure' in a recipe averages any quantity");
    }
    VirialAverages result;
    std::vector<double> gradient(system->dimension()), entries;
    for (std::size_t row = first; row < last; ++row) {
        const auto &q = trajectory.q[row], &p = trajectory.p[row];
        system->force_gradient(trajectory.t[row], q, p, gradient);
        double virial = scalar_product(q, gradient);
        if (system->constraints() > 0) {
            virial += reaction_virial(*system, trajectory.t[row], q, trajectory.lambda[row], entries);
        }
        result.t.push_back(trajectory.t[row]);
        result.twice_kinetic_along.push_back(scalar_product(p, trajectory.v[row]));
        result.virial_along.push_back(virial);
    }
    const double duration = result.t.back() - result.t.front();
    result.twice_kinetic = time_average(result.t, result.twice_kinetic_along);
    result.virial = time_average(result.t, result.virial_along);
    result.ends = (scalar_product(trajectory.q[last - 1], trajectory.p[last - 1]) -
                   scalar_product(trajectory.q[first], trajectory.p[first])) /
                  duration;
    const auto freedoms = static_cast<double>(system->dimension()) - static_cast<double>(system->constraints());
    result.temperature = freedoms > 0 ? result.twice_kinetic / freedoms : 0;
    return result;
}

namespace {

AnalysisResult run_averages(const Trajectory& trajectory, const AnalysisOptions& options) {
    const auto rows = rows_option(trajectory, options);
    const auto found = virial_averages(trajectory, rows.first, rows.last);
    AnalysisResult result{.what = "averages"};
    result.verdict = fmt::format(
        "averaged over {} units of time, twice the kinetic energy is {} and the virial {}: the difference is {}",
        shown(std::abs(found.t.back() - found.t.front())), shown(found.twice_kinetic), shown(found.virial),
        shown(found.gap()));
    result.numbers = {
        {"twice_kinetic", found.twice_kinetic, "average of p^T M^-1 p"},
        {"virial", found.virial, "average of q^T U_q, including constraint forces"},
        {"gap", found.gap(), "their difference"},
        {"ends", found.ends,
         "the difference for an exact trajectory of this length: the change of q^T p divided by the time"},
        {"temperature", found.temperature, "average of p^T M^-1 p per degree of freedom, in units of energy"},
        {"initial_kinetic", 0.5 * found.twice_kinetic_along.front(), "kinetic energy at the start"},
        {"initial_virial", found.virial_along.front(), "virial at the start"},
    };
    // Averages over a short time say nothing: drawn from a twentieth of the run on.
    const auto skipped = static_cast<std::ptrdiff_t>(found.t.size() / 20);
    const auto late = [&](const std::vector<double>& values) {
        return std::vector<double>(values.begin() + skipped, values.end());
    };
    const std::vector<double> t(found.t.begin() + 1, found.t.end());
    plot::Figure figure;
    figure.title = "Averages from the start to t";
    figure.x.label = "t";
    figure.y.label = "average";
    figure.series.push_back(
        {"twice the kinetic energy", late(t), late(running_average(found.t, found.twice_kinetic_along))});
    figure.series.push_back({"virial", late(t), late(running_average(found.t, found.virial_along))});
    result.figures.push_back(std::move(figure));
    return result;
}

}  // namespace

AnalysisRecord averages_analysis() {
    return {.name = "averages",
            .summary = "Time averages of twice the kinetic energy and of the virial, which agree for bounded motion "
                       "(virial theorem).",
            .options = {from_option(), to_option()},
            .run = run_averages,
            .needs = AnalysisRecord::Needs::model};
}

}  // namespace libration
