// Rows of a Jacobian that travel together in a backward run.
#pragma once

#include "readings.hpp"

namespace libration {

struct RowGroup {
    std::vector<std::size_t> rows;
    std::int64_t step = 0;  // where they set out
};

// In the order of time.
std::vector<RowGroup> row_groups(const Readings& readings);
// How many steps all of them take.
std::int64_t row_steps(const Readings& readings);

}  // namespace libration
