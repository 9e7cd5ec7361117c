// What is said of one number over all trajectories at one time.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace [[gnu::visibility("default")]] libration {

inline constexpr std::array<int, 5> quantile_percents{5, 25, 50, 75, 95};

struct NodeStatistics {
    std::size_t count = 0;  // trajectories that came so far
    double mean = 0, deviation = 0, smallest = 0, largest = 0;
    std::array<double, quantile_percents.size()> quantiles{};
};

// In the order given, so that the bits do not depend on who computed what when; quantiles are exact, between two values
// by straight line. `values` are sorted afterwards. All not a number if a value is, or if there are none.
NodeStatistics statistics_of(std::span<double> values);

}  // namespace libration
