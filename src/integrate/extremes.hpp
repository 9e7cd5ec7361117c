// Extremes of a series in which a value that is not a number counts: comparisons would overlook it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace libration {

struct Extremes {
    double low = 0, high = 0;  // both not a number where one of the values is none
    [[nodiscard]] double range() const { return high - low; }
};

// Of one value or more.
inline Extremes extremes_of(std::span<const double> values) {
    if (std::ranges::any_of(values, [](double value) { return std::isnan(value); })) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        return {none, none};
    }
    const auto [low, high] = std::ranges::minmax_element(values);
    return {*low, *high};
}

inline double range_of(std::span<const double> values) { return extremes_of(values).range(); }

// A distance that is not a number is that of an explosion.
inline double finite_or_infinite(double distance) {
    return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

}  // namespace libration
