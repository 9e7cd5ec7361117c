// Neighbors in time share a run.
#include "row_groups.hpp"

#include "carried.hpp"

namespace libration {

std::vector<RowGroup> row_groups(const Readings& readings) {
    std::vector<RowGroup> groups;
    for (const auto& point : readings.points()) {
        for (const auto& reading : point.readings) {
            if (groups.empty() || groups.back().rows.size() == wanted_lanes.size()) {
                groups.emplace_back();
            }
            groups.back().rows.push_back(reading.row);
            groups.back().step = point.step;
        }
    }
    return groups;
}

std::int64_t row_steps(const Readings& readings) {
    std::int64_t steps = 0;
    for (const auto& group : row_groups(readings)) {
        steps += group.step;
    }
    return steps;
}

}  // namespace libration
