// Time scales of a motion: of its fastest part at the start, of its slowest part along a pilot.
#pragma once

#include "pilot.hpp"

namespace libration {

// 1/omega of the fastest oscillation at the start, or what comes close to it where nothing oscillates; 0: nothing moves
// and nothing acts.
double fastest_time_scale(PilotRuns& runs, const ChooseOptions& options);

// The period of the slowest oscillating coordinate of a pilot by this method; of a motion that does not return, the
// time in which it changes. `fastest` as above, or any time that is short.
double slowest_time_scale(PilotRuns& runs, const Method& method, double fastest, double most_work);

// The mean time between two crossings of the mean in the same direction, of values at equal distances `spacing`;
// nothing where there are fewer than three.
std::optional<double> slowest_period(std::span<const double> values, double spacing);

}  // namespace libration
