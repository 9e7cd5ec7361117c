// The part of the energy error that is due to round-off, seen at a fixed phase of the motion.
//
// The energy of a good method oscillates by much more than round-off, but it is nearly a function of the phase. So H is
// read where one coordinate passes zero upwards, interpolated between steps; what changes from one passage to the next
// is round-off. A sum of n independent roundings grows like n^(1/2) (Brouwer's law), a systematic fault like n.
#pragma once

#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

namespace libration {

struct RoundOffOptions {
    double step = 0.02;
    std::int64_t steps = 100'000;
    std::size_t coordinate = 0;  // whose upward passage through zero marks the phase
    bool compensated = true;     // false: what rounding drops from q and p is thrown away after each step
};

struct RoundOffGrowth {
    std::vector<double> steps, rms;  // root mean square over the starts, of the change of H since the first passage
    double exponent = 0;             // of n, by least squares in logarithms
};

// One trajectory for each model (they differ in their initial values), eight at a time; their number must be a multiple
// of eight and the method must run in lanes, otherwise an InputError.
RoundOffGrowth round_off_growth(const Method& method, std::span<const Model> models, const RoundOffOptions& options);

}  // namespace libration
