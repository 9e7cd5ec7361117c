// The parts into which a model may split its potential, for methods that treat them differently.
#pragma once

namespace [[gnu::visibility("default")]] libration {

// A set of parts is their bitwise or.
enum Part : unsigned { slow_part = 1, fast_part = 2, stiff_part = 4, all_parts = 7 };

}  // namespace libration
