// Mean, deviation, quantiles.
#include <libration/ensemble/ensemble.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

double quantile(std::span<const double> sorted, int percent) {
    const std::size_t whole = static_cast<std::size_t>(percent) * (sorted.size() - 1);
    const std::size_t below = whole / 100;
    const double part = static_cast<double>(whole % 100) / 100;
    return part == 0 ? sorted[below] : sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

}  // namespace

NodeStatistics statistics_of(std::span<double> values) {
    NodeStatistics result;
    result.count = values.size();
    if (values.empty() || std::ranges::any_of(values, [](double x) { return std::isnan(x); })) {
        const double none = std::numeric_limits<double>::quiet_NaN();
        result.mean = result.deviation = result.smallest = result.largest = none;
        result.quantiles.fill(none);
        return result;
    }
    const auto n = static_cast<double>(values.size());
    const double first = values.front();  // distances from it: equal values have themselves as mean, and no deviation
    double sum = 0;
    for (const double value : values) {
        sum += value - first;
    }
    result.mean = first + sum / n;
    double squares = 0;
    for (const double value : values) {
        squares += (value - result.mean) * (value - result.mean);
    }
    result.deviation = std::sqrt(squares / (n - 1));  // of a single value not a number
    std::ranges::sort(values);
    result.smallest = values.front();
    result.largest = values.back();
    for (std::size_t k = 0; k < quantile_percents.size(); ++k) {
        result.quantiles[k] = quantile(values, quantile_percents[k]);
    }
    return result;
}

}  // namespace libration
