// Statistics of one quantity over all trajectories at one time.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace [[gnu::visibility("default")]] libration {

inline constexpr std::array<int, 5> quantile_percents{5, 25, 50, 75, 95};

struct NodeStatistics {
    std::size_t count = 0;  // trajectories that reached this time
    double mean = 0, deviation = 0, smallest = 0, largest = 0;
    std::array<double, quantile_percents.size()> quantiles{};
};

// In the order given, so that results do not depend on scheduling; quantiles are exact, with linear interpolation
// between two values. `values` are sorted afterwards. All are NaN if a value is, or if there are none.
NodeStatistics statistics_of(std::span<double> values);

}  // namespace libration
