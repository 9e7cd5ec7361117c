// Growth of errors: what power of the time the envelope is.
#include "error_growth.hpp"

#include "analysis/list.hpp"
#include "analysis/option_reading.hpp"
#include "analysis/reference_run.hpp"
#include "integrate/extremes.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

std::string to_string(GrowthKind kind) {
    switch (kind) {
        case GrowthKind::bounded: return "bounded";
        case GrowthKind::linear: return "linear";
        case GrowthKind::quadratic: return "quadratic";
        case GrowthKind::power: return "a higher power of t";
        case GrowthKind::exponential: return "exponential";
        case GrowthKind::saturated: return "saturated";
    }
    return {};
}

namespace {

struct LogFit {
    double slope = 0, intercept = 0, rms = 0;
};

// Least squares of log y against x.
LogFit fit(const std::vector<double>& x, const std::vector<double>& y) {
    const auto n = static_cast<double>(x.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sx += x[i];
        sy += std::log(y[i]);
        sxx += x[i] * x[i];
        sxy += x[i] * std::log(y[i]);
    }
    LogFit result;
    result.slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    result.intercept = (sy - result.slope * sx) / n;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double rest = std::log(y[i]) - result.intercept - result.slope * x[i];
        result.rms += rest * rest / n;
    }
    result.rms = std::sqrt(result.rms);
    return result;
}

// The part of b t^2 at the end in y = a t + b t^2, fitted with relative errors: by how much the growth has become
// quadratic.
double quadratic_share(const std::vector<double>& log_t, const std::vector<double>& y, double end) {
    double uu = 0, uv = 0, vv = 0, u1 = 0, v1 = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double t = std::exp(log_t[i]) / end, u = t / y[i], v = t * t / y[i];
        uu += u * u;
        uv += u * v;
        vv += v * v;
        u1 += u;
        v1 += v;
    }
    const double a = u1 * vv - v1 * uv, b = v1 * uu - u1 * uv;
    return b / (a + b);
}

std::vector<double> envelope_of(std::span<const double> error) {
    std::vector<double> envelope;
    double most = 0;
    for (const double value : error) {
        most = std::max(most, finite_or_infinite(value));
        envelope.push_back(most);
    }
    return envelope;
}

}  // namespace

GrowthFit classify_growth(std::span<const double> t, std::span<const double> error, double size) {
    const auto envelope = envelope_of(error);
    // At times in equal ratios and in equal distances, from a quarter of the time on: before, lower powers of t have
    // their say.
    constexpr int points = 40;
    std::vector<double> log_t, at_ratios, plain_t, at_distances;
    for (int j = 0; j <= points; ++j) {
        for (const bool ratios : {true, false}) {
            const double part = static_cast<double>(j) / points;
            const double time = t.back() * (ratios ? std::pow(4.0, part - 1) : 0.25 + 0.75 * part);
            const auto row = static_cast<std::size_t>(std::ranges::upper_bound(t, time * (1 + 1e-12)) - t.begin()) - 1;
            if (t[row] > 0 && envelope[row] > 0 && std::isfinite(envelope[row])) {
                (ratios ? log_t : plain_t).push_back(ratios ? std::log(t[row]) : t[row]);
                (ratios ? at_ratios : at_distances).push_back(envelope[row]);
            }
        }
    }
    GrowthFit result;
    const bool exploded = envelope.back() > 2 * size;
    if (log_t.size() < 3 || log_t.front() == log_t.back()) {
        result.kind = exploded ? GrowthKind::exponential : GrowthKind::bounded;
        return result;
    }
    const auto power = fit(log_t, at_ratios), exponential = fit(plain_t, at_distances);
    result.exponent = power.slope;
    result.factor = std::exp(power.intercept);
    result.rate = exponential.slope;
    if (exploded) {
        result.kind = GrowthKind::exponential;
    } else if (envelope.back() > 0.5 * size) {
        result.kind = GrowthKind::saturated;
    } else if (power.slope > 1.5 && exponential.rms < 0.5 * power.rms) {
        result.kind = GrowthKind::exponential;
    } else if (power.slope > 2.5) {
        result.kind = GrowthKind::power;
    } else {
        // Where both are there, t^2 wins in the end: what counts is which of them is larger by now.
        result.share = quadratic_share(log_t, at_ratios, t.back());
        result.kind = power.slope < 0.5    ? GrowthKind::bounded
                      : result.share < 0.5 ? GrowthKind::linear
                                           : GrowthKind::quadratic;
    }
    return result;
}

double ErrorGrowth::largest_until(double time) const {
    double most = 0;
    for (std::size_t row = 0; row < t.size() && t[row] <= time * (1 + 1e-12); ++row) {
        most = std::max(most, error[row]);
    }
    return most;
}

namespace {

double distance_to_row(const Trajectory& trajectory, std::size_t row, const std::vector<double>& state) {
    double sum = 0;
    const std::size_t d = trajectory.q[row].size();
    for (std::size_t k = 0; k < 2 * d; ++k) {
        const double value = (k < d ? trajectory.q[row][k] : trajectory.p[row][k - d]) - state[k];
        sum += value * value;
    }
    return std::sqrt(sum);
}

double euclidean_distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    }
    return std::sqrt(sum);
}

// Twice the largest distance from the mean.
double diameter(const std::vector<std::vector<double>>& states) {
    auto mean = states.front();
    for (std::size_t k = 0; k < mean.size(); ++k) {
        double sum = 0;
        for (const auto& state : states) {
            sum += state[k];
        }
        mean[k] = sum / static_cast<double>(states.size());
    }
    double most = 0;
    for (const auto& state : states) {
        most = std::max(most, euclidean_distance(state, mean));
    }
    return 2 * most;
}

// Rounding of the states themselves.
double round_off(const std::vector<double>& state) {
    double sum = 0;
    for (const double value : state) {
        sum += value * value;
    }
    return 1e-13 * std::sqrt(sum);
}

}  // namespace

ErrorGrowth error_growth(const Trajectory& trajectory, const std::string& reference) {
    if (trajectory.rows() < least_growth_rows) {
        throw InputError(fmt::format("measuring the error growth needs at least {} recorded states, and there are {}",
                                     least_growth_rows, trajectory.rows()));
    }
    ReferenceRuns runs(trajectory, reference);
    ErrorGrowth result;
    States coarse, fine;
    std::size_t best = 0;  // rows where the reference is known
    for (int part = 1; part <= 64; part *= 2) {
        auto states = runs.divided(part);
        if (states.empty()) {
            continue;  // such long steps fail
        }
        coarse = std::exchange(fine, std::move(states));
        if (coarse.empty()) {
            continue;
        }
        // Known where the change is below a hundredth of the largest error so far, or rounding.
        std::size_t known = 0;
        double most = 0, change = 0;
        for (; known < fine.size(); ++known) {
            most = std::max(most, finite_or_infinite(distance_to_row(trajectory, known, fine[known])));
            const double now = euclidean_distance(coarse[known], fine[known]);
            if (!(now <= std::max(0.01 * most, round_off(fine[known])))) {
                break;
            }
            change = std::max(change, now);
        }
        const bool much_longer = known > best + best / 20;
        if (known > best) {
            best = known;
            result.accuracy = change;
            result.reference = runs.name(part);
            result.t.clear();
            result.error.clear();
            for (std::size_t row = 0; row < known; ++row) {
                result.t.push_back(std::abs(trajectory.t[row] - trajectory.options.start_time));
                result.error.push_back(finite_or_infinite(distance_to_row(trajectory, row, fine[row])));
            }
            result.size = diameter({fine.begin(), fine.begin() + static_cast<std::ptrdiff_t>(known)});
        }
        // Where a chaotic motion is lost to rounding, smaller steps no longer help.
        if (known == fine.size() || (known > 1 && !much_longer)) {
            break;
        }
    }
    if (best < least_growth_rows) {
        throw InputError(fmt::format("no reference solution could be computed beyond {} of the states of this run: {}",
                                     best, runs.failure()));
    }
    result.envelope = envelope_of(result.error);
    result.fit = classify_growth(result.t, result.error, result.size);
    return result;
}

namespace {

AnalysisResult run_error_growth(const Trajectory& trajectory, const AnalysisOptions& options) {
    const auto found = error_growth(trajectory, text_option(options, "reference"));
    const double time = found.t.back();
    AnalysisResult result{.what = "error-growth"};
    result.verdict =
        fmt::format("{}: the global error is {} after {} units of time and grows like t^{:.2f}",
                    to_string(found.fit.kind), shown(found.envelope.back()), shown(time), found.fit.exponent);
    if (found.fit.kind == GrowthKind::saturated) {
        result.verdict = fmt::format("saturated: the global error, {}, has reached the diameter of the trajectory, {}",
                                     shown(found.envelope.back()), shown(found.size));
    } else if (found.fit.kind == GrowthKind::exponential) {
        result.verdict =
            fmt::format("exponential: the global error is {} after {} units of time and grows like exp({} t)",
                        shown(found.envelope.back()), shown(time), shown(found.fit.rate));
    }
    result.numbers = {
        {"exponent", found.fit.exponent,
         "exponent of t in the growth of the running maximum error, from a quarter of the time on"},
        {"quadratic_share", found.fit.share,
         "fraction of b t^2 in a t + b t^2 at the end, if the growth is of this form"},
        {"rate", found.fit.rate, "rate of an exponential growth fitted instead"},
        {"largest", found.envelope.back(), "maximum error, Euclidean norm over q and p"},
        {"largest_half", found.largest_until(time / 2), "maximum in the first half of the time"},
        {"largest_quarter", found.largest_until(time / 4), "maximum in the first quarter of the time"},
        {"final", found.error.back(), "error at the final time"},
        {"kind", static_cast<double>(found.fit.kind),
         "0 bounded, 1 linear, 2 quadratic, 3 a higher power, 4 exponential, 5 saturated"},
        {"size", found.size, "diameter of the trajectory"},
        {"accuracy", found.accuracy, fmt::format("accuracy of the reference, {}", found.reference)},
        {"known_until", time, "time from the start up to which the reference is reliable"},
    };
    if (found.t.size() < trajectory.rows()) {
        result.warnings.push_back(
            fmt::format("the reference is unreliable from t = {} on: smaller steps change it by more than a hundredth "
                        "of the error, as in chaotic motion; the rest of the run is omitted",
                        shown(trajectory.t[found.t.size()])));
    }
    plot::Figure figure;
    figure.title = fmt::format("Global error: {}", to_string(found.fit.kind));
    figure.x.label = "t";
    figure.y.label = "error of (q, p)";
    figure.series.push_back({"error", found.t, found.error});
    figure.series.push_back({"running maximum", found.t, found.envelope});
    plot::Figure powers = figure;
    if (found.envelope.back() > 2 * found.size) {
        figure.y.high = 2 * found.size;  // an explosion is shown as far as there is something to see
    }
    powers.x.logarithmic = powers.y.logarithmic = true;
    for (const int power : {1, 2}) {
        plot::Series guide{power == 1 ? "t" : "t^2", {}, {}, plot::Style::guide};
        for (const double x : {time / 30, time}) {
            guide.x.push_back(x);
            guide.y.push_back(found.envelope.back() * std::pow(x / time, power));
        }
        powers.series.push_back(std::move(guide));
    }
    result.figures = {std::move(figure), std::move(powers)};
    return result;
}

}  // namespace

AnalysisRecord error_growth_analysis() {
    return {.name = "error-growth",
            .summary = "Global error along the run against a reference solution, and its growth: linear, quadratic, "
                       "exponential, ...",
            .options = {{"reference", "",
                         "method of the reference run; default: a high-order method that suits the model"}},
            .run = run_error_growth};
}

}  // namespace libration
