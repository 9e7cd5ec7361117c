// The memory of a stepper as flat lists.
#include "lane_stepper.hpp"

#include "methods/flat_memory.hpp"

#include <algorithm>

namespace libration {

LaneMemory memory_of(Stepper<double>& stepper) {
    const FlatMemory<double> own(stepper);
    LaneMemory memory;
    for (const auto& values : own.arrays) {
        memory.entries.insert(memory.entries.end(), values.begin(), values.end());
    }
    memory.integers = own.integer_values();
    return memory;
}

void put_memory(const LaneMemory& memory, Stepper<double>& stepper) {
    const FlatMemory<double> own(stepper);
    const double* from = memory.entries.data();
    for (const auto& values : own.arrays) {
        std::copy_n(from, values.size(), values.begin());
        from += values.size();
    }
    for (std::size_t k = 0; k < own.integers.size(); ++k) {
        *own.integers[k] = memory.integers[k];
    }
}

}  // namespace libration
