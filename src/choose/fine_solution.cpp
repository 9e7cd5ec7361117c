// Doubling the number of steps.
#include "fine_solution.hpp"

#include <libration/kit/system.hpp>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Errors of double below which nothing is asked of a solution.
constexpr double rounding = 3e-15;
// Up to here two solutions show the same motion.
constexpr double visible_difference = 0.01;
constexpr int most_failed_solutions = 14;

struct LineFit {
    double slope = 0, rms = 0;
};

LineFit fit_line(std::span<const double> x, std::span<const double> y) {
    const auto n = static_cast<double>(x.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        sx += x[k];
        sy += y[k];
        sxx += x[k] * x[k];
        sxy += x[k] * y[k];
    }
    LineFit fit;
    fit.slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    const double intercept = (sy - fit.slope * sx) / n;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double rest = y[k] - intercept - fit.slope * x[k];
        fit.rms += rest * rest / n;
    }
    fit.rms = std::sqrt(fit.rms);
    return fit;
}

// Exponential growth explains the differences better than a power of the time does, and there is much of it.
// Differences near 1 have nowhere to grow.
void classify(const PilotDifference& difference, FineSolution& solution) {
    std::vector<double> t, log_t, log_error;
    double most = 0;
    for (std::size_t k = 0; k < difference.t.size(); ++k) {
        most = std::max(most, difference.relative[k]);
        if (most > rounding && most < 0.3) {
            t.push_back(difference.t[k]);
            log_t.push_back(std::log(difference.t[k]));
            log_error.push_back(std::log(most));
        }
    }
    if (t.size() < 6) {
        return;
    }
    const auto power = fit_line(log_t, log_error), exponential = fit_line(t, log_error);
    solution.exponent = power.slope;
    const double growth = exponential.slope * (t.back() - t.front());
    if (exponential.rms < 0.8 * power.rms && growth > 5 && power.slope > 2.5) {
        solution.chaotic = true;
        solution.rate = exponential.slope;
    }
}

double horizon_of(const PilotDifference& difference, double asked) {
    double until = 0;
    for (std::size_t k = 0; k < difference.t.size() && difference.relative[k] <= asked; ++k) {
        until = difference.t[k];
    }
    return until;
}

}  // namespace

FineSolution fine_solution(PilotRuns& runs, const Method& method, std::int64_t steps, double duration,
                           const FineGoal& goal) {
    const auto states = runs.usual_states();
    const double before = runs.spent();
    FineSolution result;
    result.method = method.name();
    result.order = method.claims(runs.properties(), runs.constraints()).order;
    steps = states * std::max<std::int64_t>(1, (steps + states - 1) / states);
    std::optional<Pilot> coarse;
    double last = 0, resolved = 0;
    int failures = 0, stalled = 0;
    while (true) {
        auto pilot = runs.run(method, steps, duration, states);
        if (!pilot.completed()) {
            result.why_not = pilot.failure;
            coarse.reset();
            if (++failures > most_failed_solutions || runs.spent() - before > goal.most_work) {
                return result;
            }
            steps *= 2;
            continue;
        }
        if (coarse) {
            auto difference = difference_of(*coarse, pilot);
            // At the end the difference may be small by chance.
            const double now = std::max(difference.end, 0.1 * std::ranges::max(difference.relative));
            const double order = last > 0 && now > 0 ? std::clamp(std::log2(last / now), 1.0, 1.0 * result.order) : 1;
            const bool shrinks = last > 0 && now < last / 1.5;
            result.accuracy = std::max(now / (shrinks ? std::exp2(order) : 1), now > 0 ? 1e-16 : 0);
            classify(difference, result);
            result.horizon = std::max(result.horizon, horizon_of(difference, goal.asked));
            // While steps are too long for any part of the motion, or more of it becomes known, nothing stalls.
            const double known = horizon_of(difference, visible_difference);
            stalled = last > 0 && !shrinks && known > 0 && known < 1.03 * resolved ? stalled + 1 : 0;
            resolved = std::max(resolved, known);
            last = now;
            result.pilot = std::move(pilot);
            result.difference = std::move(difference);
            if (result.accuracy <= std::max(goal.accuracy, rounding)) {
                result.converged = true;
                return result;
            }
            if (stalled >= 2) {
                result.lost = true;
                result.chaotic = result.chaotic || now > visible_difference / 10;
                result.why_not = "smaller steps do not bring the solutions closer to each other";
                return result;
            }
            coarse = result.pilot;
        } else {
            coarse = pilot;
            result.pilot = std::move(pilot);
            result.accuracy = 1;
        }
        if (runs.spent() - before + 2 * coarse->work > goal.most_work) {
            result.why_not = "a finer one would take more work than pilots may take";
            return result;
        }
        steps *= 2;
    }
}

}  // namespace libration
