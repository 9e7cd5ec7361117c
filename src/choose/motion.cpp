// Linearization at the start, and crossings of mean values along a pilot.
#include "motion.hpp"

#include "integrate/checked_start.hpp"
#include "integrate/fastest_frequency.hpp"
#include <libration/text/error.hpp>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

double largest_entry(std::span<const double> values) {
    double most = 0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

// The frequency of an oscillator whose amplitudes are the largest entries: sqrt(|H_q| |H_p| / (|q| |p|)), and at rest
// sqrt(|M^-1 H_q| / |q|).
double rough_frequency(System<double>& system, double t, const StartState<double>& start) {
    const std::size_t d = system.dimension();
    std::vector<double> v(d), force(d), acceleration(d);
    system.velocity(t, start.q, start.p, v);
    system.force_gradient(t, start.q, start.p, force);
    const double q = largest_entry(start.q), p = largest_entry(start.p), speed = largest_entry(v);
    const double push = largest_entry(force);
    if (!system.properties().hamiltonian) {
        return std::max(q > 0 ? speed / q : speed, p > 0 ? push / p : 0);
    }
    if (p > 0 && push > 0) {
        return std::sqrt(push * speed / ((q > 0 ? q : 1) * p));
    }
    if (push > 0) {
        system.solve_mass(t, start.q, start.p, force, acceleration);
        return std::sqrt(largest_entry(acceleration) / (q > 0 ? q : 1));
    }
    return q > 0 ? speed / q : speed;
}

// Series of one coordinate or momentum along a pilot.
std::vector<double> series(const std::vector<std::vector<double>>& states, std::size_t k) {
    std::vector<double> values;
    for (const auto& state : states) {
        values.push_back(state[k]);
    }
    return values;
}

double extent(std::span<const double> values) {
    const auto [least, most] = std::ranges::minmax(values);
    return most - least;
}

struct SlowestSeen {
    double period = 0;  // 0: nothing oscillates
    bool all = true;    // every series that varies oscillates
};

// Series that vary by less than this part of the widest one are not looked at.
constexpr double visible = 0.01;

void look_at(const std::vector<std::vector<double>>& states, double spacing, SlowestSeen& seen) {
    if (states.front().empty()) {
        return;
    }
    double widest = 0;
    std::vector<std::vector<double>> all;
    for (std::size_t k = 0; k < states.front().size(); ++k) {
        all.push_back(series(states, k));
        widest = std::max(widest, extent(all.back()));
    }
    for (const auto& one : all) {
        if (extent(one) <= visible * widest || extent(one) == 0) {
            continue;
        }
        const auto period = slowest_period(one, spacing);
        seen.all = seen.all && period;
        seen.period = std::max(seen.period, period.value_or(0));
    }
}

}  // namespace

std::optional<double> slowest_period(std::span<const double> values, double spacing) {
    double mean = 0;
    for (const double value : values) {
        mean += value / static_cast<double>(values.size());
    }
    const double margin = 0.05 * extent(values);
    bool below = values.front() < mean;
    std::size_t crossings = 0, first = 0, last = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (below && values[k] > mean + margin) {
            below = false;
            first = crossings == 0 ? k : first;
            last = k;
            ++crossings;
        } else if (!below && values[k] < mean - margin) {
            below = true;
        }
    }
    return crossings >= 3
               ? std::optional(static_cast<double>(last - first) * spacing / static_cast<double>(crossings - 1))
               : std::nullopt;
}

double fastest_time_scale(PilotRuns& runs, const ChooseOptions& options) {
    auto& system = runs.system();
    Manifold<double> manifold(system);
    IntegrationOptions run;
    run.project = options.project;
    run.start_time = options.start_time;
    const auto start = checked_start(runs.model(), system, manifold, run);
    double omega = 0;
    if (system.properties().separable && system.properties().hamiltonian) {
        omega = fastest_frequency(system, options.start_time, start.q, start.p);
    }
    // At an unstable start nothing restores, and what is left is rounding.
    const double rough = rough_frequency(system, options.start_time, start);
    if (!std::isfinite(omega) || omega < 0.1 * rough || (rough > 0 && omega > 1e6 * rough)) {
        omega = rough;
    }
    return omega > 0 && std::isfinite(omega) ? 1 / omega : 0;
}

double slowest_time_scale(PilotRuns& runs, const Method& method, double fastest, double most_work) {
    constexpr std::int64_t samples = 4096;
    // The largest number of them that memory allows for a large model.
    const std::int64_t states = samples * runs.usual_states() / PilotRuns::most_states;
    const double before = runs.spent();
    double duration = 40 * fastest, step = 0.2 * fastest, best = 0;
    for (int failures = 0, looks = 0; failures < 12;) {
        const auto steps =
            states * std::max<std::int64_t>(
                         1, static_cast<std::int64_t>(std::ceil(duration / step / static_cast<double>(states))));
        const auto pilot = runs.run(method, steps, duration, states);
        if (!pilot.completed()) {
            step /= 4;
            ++failures;
            if (failures >= 4) {
                duration /= 4;  // the motion may end
            }
            continue;
        }
        SlowestSeen seen;
        const double spacing = duration / static_cast<double>(states);
        look_at(pilot.q, spacing, seen);
        if (seen.period == 0) {
            look_at(pilot.p, spacing, seen);
        }
        best = std::max(best, seen.period);
        looks += seen.period > 0 ? 1 : 0;
        if ((seen.all && seen.period > 0) || looks >= 3 || runs.spent() - before + 3 * pilot.work > most_work) {
            break;
        }
        duration *= 3;
    }
    return best > 0 ? best : duration;
}

}  // namespace libration
