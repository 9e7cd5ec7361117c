// Classifies the long-time behavior of a quantity: bounded, a random walk, or a linear drift.
//
//     const auto drift = classify_drift(recorder.t, recorder.energy);
//     if (drift.kind == DriftKind::linear) ...  drift.slope, drift.slope_error
//
// The classification uses means of at most 64 blocks, weighted by 1 - cos so that oscillations of the motion itself
// nearly cancel. A line is fitted to the means. Its residuals determine the uncertainty of the slope: independent or
// oscillating residuals indicate a bounded quantity, wandering ones a random walk, for which slopes of either sign
// arise by chance.
#pragma once

#include <span>
#include <string>

namespace [[gnu::visibility("default")]] libration {

enum class DriftKind {
    bounded,      // no significant trend
    random_walk,  // behaves like sums of independent increments; no trend beyond that of such sums
    linear,       // a trend beyond both
    growing,      // grows at an increasing rate, or oscillates with increasing amplitude: a blow-up
    changing,     // changes to another value, and settles or jumps: none of these; or the run is too short to tell
};
std::string to_string(DriftKind kind);  // "random walk"

struct Drift {
    DriftKind kind = DriftKind::bounded;
    double slope = 0;        // of the least-squares line through the block means, per unit of time
    double slope_error = 0;  // its standard error, corrected for correlation of the blocks
    double exponent =
        0;  // e of rms |m(t + s) - m(t)| ~ s^e for block means m: about 0, 1/2 and 1 for the first three kinds
    double range = 0;                      // of all values
    double first_mean = 0, last_mean = 0;  // of the first and the last tenth
    double intercept = 0;                  // of the line at t = 0
    double bend = 0;       // deviation of a smooth curve from the line, as a fraction of the change along the line
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
