// Least squares on block means, and three statistics of what the line leaves.
#include <libration/integrate/drift.hpp>

#include "integrate/extremes.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

namespace libration {

namespace {

constexpr double pi = std::numbers::pi;

struct Blocks {
    std::vector<double> t, mean;
};

// Weights 1 - cos(2 pi u) over a block: an oscillation with k periods in it leaves 1/k^3 of its amplitude, and not the
// 1/k that plain means leave.
Blocks block_means(std::span<const double> t, std::span<const double> values, std::size_t count) {
    const std::size_t rows = t.size();
    Blocks blocks;
    for (std::size_t b = 0; b < count; ++b) {
        const std::size_t first = b * rows / count, last = (b + 1) * rows / count;
        double weights = 0, time = 0, value = 0;
        for (std::size_t i = first; i < last; ++i) {
            const double u = (static_cast<double>(i - first) + 0.5) / static_cast<double>(last - first);
            const double w = 1 - std::cos(2 * pi * u);
            weights += w;
            time += w * t[i];
            value += w * (values[i] - values[0]);
        }
        blocks.t.push_back(time / weights);
        blocks.mean.push_back(value / weights);
    }
    return blocks;
}

double mean_of(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) {
        sum += value - values[0];
    }
    return values[0] + sum / static_cast<double>(values.size());
}

double sum_of_squares(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) {
        sum += value * value;
    }
    return sum;
}

// Correlation of neighbours.
double correlation(const std::vector<double>& values) {
    double sum = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        sum += values[i] * values[i - 1];
    }
    const double squares = sum_of_squares(values);
    return squares > 0 ? sum / squares : 0;
}

struct Line {
    double slope = 0, intercept = 0, spread_t = 0;  // spread_t: sum of (t - mean t)^2
    std::vector<double> rest;
};

Line fit_line(const std::vector<double>& t, const std::vector<double>& values) {
    Line line;
    const double middle = mean_of(t), mean = mean_of(values);
    double product = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        line.spread_t += (t[i] - middle) * (t[i] - middle);
        product += (t[i] - middle) * (values[i] - mean);
    }
    line.slope = product / line.spread_t;
    line.intercept = mean - line.slope * middle;
    for (std::size_t i = 0; i < t.size(); ++i) {
        line.rest.push_back(values[i] - mean - line.slope * (t[i] - middle));
    }
    return line;
}

// The part of the power of the rest that has one, two or three periods in the run.
double slow_share(const std::vector<double>& rest) {
    const auto n = static_cast<double>(rest.size());
    double power = 0;
    for (int k = 1; k <= 3; ++k) {
        double c = 0, s = 0;
        for (std::size_t i = 0; i < rest.size(); ++i) {
            const double angle = 2 * pi * k * static_cast<double>(i) / n;
            c += rest[i] * std::cos(angle);
            s += rest[i] * std::sin(angle);
        }
        power += 2 * (c * c + s * s) / n;
    }
    const double all = sum_of_squares(rest);
    return all > 0 ? power / all : 0;
}

// Least-squares slope of log rms |m_i+s - m_i| against log s, s = 1, 2, 4, ... up to a quarter of the blocks.
double spread_exponent(const std::vector<double>& means) {
    std::vector<double> x, y;
    for (std::size_t lag = 1; 4 * lag <= means.size(); lag *= 2) {
        double sum = 0;
        for (std::size_t i = lag; i < means.size(); ++i) {
            sum += (means[i] - means[i - lag]) * (means[i] - means[i - lag]);
        }
        if (sum > 0) {
            x.push_back(std::log(static_cast<double>(lag)));
            y.push_back(0.5 * std::log(sum / static_cast<double>(means.size() - lag)));
        }
    }
    return x.size() < 2 ? 0 : fit_line(x, y).slope;
}

// Whether the second half leaves the range of the first far behind.
bool explodes(const std::vector<double>& means) {
    const std::size_t half = means.size() / 2;
    const std::span<const double> first(means.data(), half);
    const double middle = mean_of(first);
    return std::abs(means.back() - middle) > 10 * range_of(first);
}

// Whether a tenth of the changes makes up more than half of the way, or all of it goes one way: jumps or a curve, and
// no walk. Of 63 normally distributed changes that tenth has some 22%, and the ends are 1/sqrt(63) of the way apart.
bool jumps_or_bends(const std::vector<double>& means) {
    std::vector<double> changes;
    double way = 0;
    for (std::size_t i = 1; i < means.size(); ++i) {
        changes.push_back(std::abs(means[i] - means[i - 1]));
        way += changes.back();
    }
    std::ranges::sort(changes, std::greater{});
    double largest = 0;
    for (std::size_t i = 0; i < changes.size() / 10; ++i) {
        largest += changes[i];
    }
    return largest > 0.5 * way || std::abs(means.back() - means.front()) > 0.9 * way;
}

// The median distance from the median: how far an oscillation goes, whatever single values do.
double amplitude_of(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double median = *middle;
    for (double& value : sorted) {
        value = std::abs(value - median);
    }
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
}

// An oscillation that is ten times as wide at the end as at the beginning; chance makes a factor of two of it in ten
// values.
constexpr double wider = 10;

struct Amplitudes {
    double growth = 1;
    bool still_grows = false;  // from fifth to fifth
};

Amplitudes amplitudes_of(std::span<const double> values, double rounding) {
    const std::size_t fifth = values.size() / 5;
    const auto at = [&](std::size_t k) { return std::max(rounding, amplitude_of(values.subspan(k * fifth, fifth))); };
    return {at(4) / at(0), at(1) < at(2) && at(2) < at(3) && at(3) < at(4) && at(4) > 2 * at(2)};
}

struct BlockJudgement {
    double slope = 0, intercept = 0, error = 0, bend = 0;
    bool wanders = false, leaves = false;
};

BlockJudgement judge_blocks(const Blocks& blocks, double duration) {
    const auto line = fit_line(blocks.t, blocks.mean);
    const auto n = static_cast<double>(blocks.t.size());
    std::vector<double> change;
    for (std::size_t i = 1; i < line.rest.size(); ++i) {
        change.push_back(line.rest[i] - line.rest[i - 1]);
    }
    const double mean_change = mean_of(change);
    for (double& value : change) {
        value -= mean_change;
    }
    const double squares = sum_of_squares(line.rest), changes = sum_of_squares(change);
    const double smoothness = correlation(change);
    BlockJudgement result{.slope = line.slope, .intercept = line.intercept};
    // Neighbouring rests agree (changes/squares is 2 for independent ones, about 10/n for a walk), their changes do not
    // (a smooth oscillation), and much of them is as slow as the run (an oscillation with more periods is not).
    result.wanders = changes < squares && smoothness < 0.6 && slow_share(line.rest) > 0.2;
    // Of n blocks with correlation r of neighbours n (1 - r)/(1 + r) are independent.
    const double r = std::clamp(correlation(line.rest), 0.0, 0.999);
    result.error = std::sqrt(squares / ((n - 2) * line.spread_t) * (1 + r) / (1 - r));
    if (result.wanders) {
        // A walk of variance s^2 a unit of time has changes of block means with variance (2/3 + 5/(4 pi^2)) s^2 T/n,
        // and the slope of a line through it the variance (6/5) s^2/T.
        const double s2 = changes / (n - 2) / ((2.0 / 3 + 5 / (4 * pi * pi)) * duration / n);
        result.error = std::max(result.error, std::sqrt(1.2 * s2 / duration));
    }
    // Rests as smooth as one or two swings are no sample of anything: the line must outdo them by itself.
    const bool smooth = changes < squares && smoothness >= 0.6;
    result.bend = smooth && line.slope != 0 ? range_of(line.rest) / (std::abs(line.slope) * duration) : 0;
    result.leaves = std::abs(line.slope) > 4 * result.error &&
                    (!smooth || std::abs(line.slope) * duration > 2.5 * range_of(line.rest));
    return result;
}

}  // namespace

std::string to_string(DriftKind kind) {
    switch (kind) {
        case DriftKind::bounded: return "bounded";
        case DriftKind::random_walk: return "random walk";
        case DriftKind::linear: return "linear";
        case DriftKind::growing: return "growing";
        case DriftKind::changing: return "changing";
    }
    return {};
}

Drift classify_drift(std::span<const double> t, std::span<const double> values) {
    if (t.size() != values.size() || t.size() < least_drift_rows) {
        throw InputError(fmt::format("a drift estimate needs at least {} values, one per time; there are {}",
                                     least_drift_rows, values.size()));
    }
    double size = 0;
    for (const double value : values) {
        if (!std::isfinite(value)) {
            throw InputError("the quantity is not finite everywhere: choose an earlier end time with the option 'to'");
        }
        size = std::max(size, std::abs(value));
    }
    Drift drift;
    drift.blocks = std::clamp<std::size_t>(t.size() / 8, 6, 64);
    drift.range = range_of(values);
    const std::size_t tenth = t.size() / 10;
    drift.first_mean = mean_of(values.first(tenth));
    drift.last_mean = mean_of(values.last(tenth));

    const double duration = std::abs(t.back() - t.front());  // a run may go backward
    const auto blocks = block_means(t, values, drift.blocks);
    const auto line = judge_blocks(blocks, duration);
    // An oscillation of about one period a block comes back as a slow one, but not with two numbers of blocks.
    const auto other = judge_blocks(block_means(t, values, drift.blocks * 7 / 10), duration);
    drift.slope = line.slope;
    drift.intercept = values[0] + line.intercept;
    drift.slope_error = std::max(line.error, other.error);
    drift.bend = line.bend;
    drift.exponent = spread_exponent(blocks.mean);

    // Below this all is the rounding of the values.
    const bool visible = std::abs(drift.slope) * duration > 8 * std::numeric_limits<double>::epsilon() * size;
    if (visible && explodes(blocks.mean)) {
        drift.kind = DriftKind::growing;
    } else if (visible && line.leaves && other.leaves) {
        drift.kind = DriftKind::linear;
    } else if (line.wanders && other.wanders && range_of(blocks.mean) > 0.5 * drift.range) {
        // A wandering far inside the oscillation is not one: slow beats of a bounded quantity look the same.
        drift.kind = jumps_or_bends(blocks.mean) ? DriftKind::changing : DriftKind::random_walk;
    }
    const auto amplitudes = amplitudes_of(values, std::numeric_limits<double>::epsilon() * size);
    drift.amplitude_growth = amplitudes.growth;
    if (drift.kind == DriftKind::bounded && amplitudes.growth > wider) {
        drift.kind = amplitudes.still_grows ? DriftKind::growing : DriftKind::changing;
        drift.widens = true;
        return drift;
    }
    // What is bounded comes back, in the second half as in the first, and at the end to where it began.
    const bool stays =
        drift.kind == DriftKind::bounded || drift.kind == DriftKind::random_walk || drift.kind == DriftKind::changing;
    const bool apart = drift.range > 8 * std::numeric_limits<double>::epsilon() * size;
    drift.settled = apart && range_of(values.subspan(t.size() / 2)) < 0.1 * drift.range;
    const bool gone = apart && std::abs(drift.last_mean - drift.first_mean) > 0.5 * drift.range;
    if (stays && (drift.settled || (gone && drift.kind == DriftKind::bounded))) {
        drift.kind = DriftKind::changing;
    }
    return drift;
}

}  // namespace libration
