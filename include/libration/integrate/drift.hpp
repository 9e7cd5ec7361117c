// Whether a quantity stays, wanders or leaves: bounded, a random walk, or a linear drift.
//
//     const auto drift = classify_drift(recorder.t, recorder.energy);
//     if (drift.kind == DriftKind::linear) ...  drift.slope, drift.slope_error
//
// All is judged on means of at most 64 blocks, weighted by 1 - cos so that oscillations of the motion itself leave
// almost nothing in them. A line is fitted to the means. What is left of them says how certain its slope is:
// independent or oscillating rests are those of a bounded quantity, rests that wander those of a random walk, for which
// slopes of either sign come about by chance.
#pragma once

#include <span>
#include <string>

namespace [[gnu::visibility("default")]] libration {

enum class DriftKind {
    bounded,      // no trend beyond chance
    random_walk,  // wanders like sums of independent changes; no trend beyond what such sums show
    linear,       // a trend beyond both
    growing,      // leaves ever faster, or oscillates ever wider: an explosion
    changing,     // goes somewhere else, and settles or jumps: none of these; or the run is too short to tell
};
std::string to_string(DriftKind kind);  // "random walk"

struct Drift {
    DriftKind kind = DriftKind::bounded;
    double slope = 0;        // of the least-squares line through the block means, per unit of time
    double slope_error = 0;  // its standard error, correlation of the blocks taken into account
    double exponent =
        0;  // e of rms |m(t + s) - m(t)| ~ s^e for block means m: about 0, 1/2 and 1 for the first three kinds
    double range = 0;                      // of all values
    double first_mean = 0, last_mean = 0;  // of the first and the last tenth
    double intercept = 0;                  // of the line at t = 0
    double bend = 0;       // by how much a smooth curve leaves the line, in parts of the way of the line
    bool settled = false;  // the second half varies by less than a tenth of all
    // Median distance from the median in the last fifth, divided by that in the first; 1 where both are rounding.
    double amplitude_growth = 1;
    bool widens = false;  // this alone is why it is not bounded
    std::size_t blocks = 0;
};

// At least `least_drift_rows` values, t rising or falling; InputError otherwise, or where a value is not finite.
inline constexpr std::size_t least_drift_rows = 48;
Drift classify_drift(std::span<const double> t, std::span<const double> values);

}  // namespace libration
