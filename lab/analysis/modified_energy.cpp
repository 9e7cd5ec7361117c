// Which modified energy a method has, and its values along a run.
#include "modified_energy.hpp"

#include "analysis/energy_functional.hpp"
#include "analysis/list.hpp"
#include "analysis/option_reading.hpp"
#include "integrate/extremes.hpp"

#include "methods/multistep_stepper.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

std::vector<double> modified_energy_coefficients(const MultistepPair& pair, int n) {
    // Times e^(-k x/2) both polynomials are even in x = log z: their even moments about k/2 are the coefficients.
    const auto moments = [&](const std::vector<Wide>& polynomial, int first) {
        std::vector<Wide> result;
        for (int m = first; m <= first + 2 * n; m += 2) {
            Wide sum = 0;
            for (std::size_t j = 0; j < polynomial.size(); ++j) {
                Wide power = polynomial[j];
                for (int i = 1; i <= m; ++i) {
                    power *= (static_cast<Wide>(j) - static_cast<Wide>(pair.k) / 2) / static_cast<Wide>(i);
                }
                sum += power;
            }
            result.push_back(sum);
        }
        return result;
    };
    const auto rho = moments(pair.rho, 2), sigma = moments(pair.sigma, 0);
    std::vector<Wide> quotient;
    std::vector<double> gamma;
    for (std::size_t l = 0; l < rho.size(); ++l) {
        Wide value = rho[l];
        for (std::size_t i = 0; i < l; ++i) {
            value -= quotient[i] * sigma[l - i];
        }
        quotient.push_back(value / sigma[0]);
        // The order condition makes the first ones vanish, up to rounding.
        const bool vanishes = l > 0 && 2 * l < static_cast<std::size_t>(pair.k);
        gamma.push_back(vanishes ? 0 : static_cast<double>(quotient[l]));
    }
    return gamma;
}

double ModifiedEnergy::Curve::spread() const { return range_of(energy); }

namespace {

enum class Scheme { verlet_a, verlet_b, multistep };

Scheme scheme_of(const MethodSpec& spec) {
    if (spec.name == "verlet" || spec.name == "leapfrog") {
        return Scheme::verlet_a;
    }
    if (spec.name == "verlet-b") {
        return Scheme::verlet_b;
    }
    if (spec.name == "rattle" || spec.name == "shake" || spec.name == "multistep" || to_string(spec) == "lobatto(2)") {
        return Scheme::multistep;
    }
    throw InputError(
        fmt::format("no modified energy is available for the method '{}'; it is for verlet, verlet-b, leapfrog, "
                    "rattle, shake, lobatto(2) and multistep(...)",
                    to_string(spec)));
}

void check_recursion(const Trajectory& trajectory, const System<double>& system) {
    const auto& properties = system.properties();
    if (!properties.hamiltonian || !properties.separable || properties.forced || properties.depends_on_time ||
        properties.moving_constraints || properties.nonholonomic > 0 || properties.added > 0) {
        throw InputError("modified energies are available for H = 1/2 p^T M^-1 p + U(q) with constant M and "
                         "constraints g(q) = 0 independent of time; this model is not of this form");
    }
    if (!trajectory.holds_every_step()) {
        throw InputError("a modified energy needs every step of a run with constant step size: record with `every = "
                         "1`, without `adaptive` and `at`");
    }
}

// Steps of Störmer's recursion: with variant B the midpoints, which the next step passes through.
std::vector<std::vector<double>> recursion_positions(const Trajectory& trajectory, Scheme scheme) {
    auto positions = trajectory.q;
    for (std::size_t row = 0; row < positions.size() && scheme == Scheme::verlet_b; ++row) {
        for (std::size_t k = 0; k < positions[row].size(); ++k) {
            positions[row][k] += 0.5 * trajectory.options.step * trajectory.v[row][k];
        }
    }
    return positions;
}

}  // namespace

ModifiedEnergy modified_energy(const Trajectory& trajectory, std::int64_t terms) {
    const auto spec = parse_spec(trajectory.method);
    const auto scheme = scheme_of(spec);
    const auto system = make_system<double>(trajectory.model);
    check_recursion(trajectory, *system);
    constexpr int most_terms = 6;
    if (terms < 1 || terms > most_terms) {
        throw InputError(fmt::format("a modified energy with terms={}: 1 to {} are possible", terms, most_terms));
    }
    const double h = trajectory.options.step;
    ModifiedEnergy result;
    result.curves.push_back({trajectory.t, trajectory.energy});
    int first = 1;  // term that comes from differences
    if (scheme != Scheme::multistep) {
        VerletModified modified(trajectory.model, scheme == Scheme::verlet_a ? VerletVariant::A : VerletVariant::B);
        ModifiedEnergy::Curve curve{trajectory.t, {}};
        for (std::size_t row = 0; row < trajectory.rows(); ++row) {
            curve.energy.push_back(modified.energy(h, trajectory.q[row], trajectory.p[row]));
        }
        result.curves.push_back(std::move(curve));
        first = 2;
    }
    if (terms < first) {
        return result;
    }
    const auto pair = spec.name == "multistep" ? multistep_pair_of(spec) : multistep_pair({});
    result.order = pair.k;
    EnergyFunctional functional(*system, modified_energy_coefficients(pair, pair.k / 2 - 1 + static_cast<int>(terms)),
                                h);
    const std::size_t reach = functional.reach();
    const auto positions = recursion_positions(trajectory, scheme);
    if (positions.size() < 2 * reach + 2) {
        throw InputError(fmt::format("a modified energy with {} terms needs at least {} steps", terms, 2 * reach + 1));
    }
    result.curves.resize(static_cast<std::size_t>(terms) + 1);
    for (std::size_t row = reach; row + reach < positions.size(); ++row) {
        const auto values = functional.values(positions, row, static_cast<std::size_t>(terms - first));
        for (std::size_t i = 0; i < values.size(); ++i) {
            auto& curve = result.curves[static_cast<std::size_t>(first) + i];
            curve.t.push_back(trajectory.t[row] + (scheme == Scheme::verlet_b ? 0.5 * h : 0));
            curve.energy.push_back(values[i]);
        }
    }
    return result;
}

namespace {

// One degree of freedom: the numerical solution and the flow of the modified equation. [HLW03 Fig. 4.1]
plot::Figure phase_figure(const Trajectory& trajectory, Scheme scheme) {
    // At most 100 steps, forward or backward.
    const double h = trajectory.options.step,
                 time = h * std::min((trajectory.t.back() - trajectory.t.front()) / h, 100.0);
    VerletModified modified(trajectory.model, scheme == Scheme::verlet_a ? VerletVariant::A : VerletVariant::B);
    plot::Figure figure;
    figure.title = "Numerical solution and the flow of the modified equation";
    figure.x.label = trajectory.model.coordinate_name(0);
    figure.y.label = "p";
    plot::Series flow{"modified equation", {}, {}};
    auto q = trajectory.q.front(), p = trajectory.p.front();
    constexpr int points = 2000;
    for (int i = 0; i <= points; ++i) {
        flow.x.push_back(q[0]);
        flow.y.push_back(p[0]);
        modified.flow(h, time / points, 1, q, p);
    }
    plot::Series nodes{trajectory.method, {}, {}, plot::Style::points};
    for (std::size_t row = 0; row < std::min<std::size_t>(trajectory.rows(), 201); ++row) {
        nodes.x.push_back(trajectory.q[row][0]);
        nodes.y.push_back(trajectory.p[row][0]);
    }
    figure.series = {std::move(flow), std::move(nodes)};
    return figure;
}

AnalysisResult run_modified_energy(const Trajectory& trajectory, const AnalysisOptions& options) {
    const auto found = modified_energy(trajectory, integer_option(options, "terms"));
    AnalysisResult result{.what = "modified-energy"};
    result.verdict = fmt::format("H varies by {}", shown(found.curves[0].spread()));
    plot::Figure figure, sizes;
    figure.title = "Energy and modified energies";
    figure.x.label = sizes.x.label = "t";
    figure.y.label = "energy";
    sizes.title = "Distance from the mean";
    sizes.y = {.label = "|energy - mean|", .logarithmic = true};
    for (std::size_t k = 0; k < found.curves.size(); ++k) {
        const auto& curve = found.curves[k];
        const auto name = k == 0 ? std::string("H") : fmt::format("with {} term{}", k, k == 1 ? "" : "s");
        result.numbers.push_back(
            {k == 0 ? "spread" : fmt::format("spread_{}", k), curve.spread(),
             fmt::format("maximum minus minimum of {}", k == 0 ? "H" : fmt::format("the modified energy {}", name))});
        if (k > 0) {
            result.verdict +=
                fmt::format("{} the modified energy {} by {}", k == 1 ? "," : " and", name, shown(curve.spread()));
        }
        figure.series.push_back({name, curve.t, curve.energy});
        double mean = 0;
        for (const double value : curve.energy) {
            mean += value / static_cast<double>(curve.energy.size());
        }
        plot::Series size{name, curve.t, {}};
        for (const double value : curve.energy) {
            size.y.push_back(std::abs(value - mean));
        }
        sizes.series.push_back(std::move(size));
    }
    result.figures = {std::move(figure), std::move(sizes)};
    const auto scheme = scheme_of(parse_spec(trajectory.method));
    if (scheme != Scheme::multistep && trajectory.model.dimension == 1) {
        result.figures.push_back(phase_figure(trajectory, scheme));
    }
    return result;
}

}  // namespace

AnalysisRecord modified_energy_analysis() {
    return {.name = "modified-energy",
            .summary = "The modified energy that verlet, rattle, shake or multistep conserve instead of H, from "
                       "backward error analysis.",
            .options = {{"terms", "2", "number of correction terms, 1 to 6, each improving the order by two"}},
            .run = run_modified_energy};
}

}  // namespace libration
