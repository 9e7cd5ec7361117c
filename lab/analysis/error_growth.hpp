// How the global error of a run grows: linearly, as that of a symplectic or symmetric method on an integrable system
// does, or quadratically, as that of most others, or exponentially, as all do on a chaotic one. [HLW03 section 5.2]
//
//     const auto growth = error_growth(trajectory);      // makes a reference run of its own
#pragma once

#include <libration/integrate/trajectory.hpp>

#include <span>

namespace libration {

enum class GrowthKind {
    bounded,
    linear,
    quadratic,
    power,        // a power of t that is higher
    exponential,  // or an explosion
    saturated,    // as large as the motion itself: nothing is left to grow
};
std::string to_string(GrowthKind kind);

struct GrowthFit {
    GrowthKind kind = GrowthKind::bounded;
    double exponent = 0;  // e of the envelope ~ t^e in the last three quarters of the time
    double factor = 0;    // c of c t^e
    double share = 0;     // of b t^2 in a t + b t^2 at the end: below 1/2 it is called linear, above quadratic
    double rate = 0;      // r of the envelope ~ exp(r t), likewise
};
// `size` is the diameter of the motion. t is the time since the start, rising also where a run goes backward; errors
// that are not numbers count as infinite.
GrowthFit classify_growth(std::span<const double> t, std::span<const double> error, double size);

struct ErrorGrowth {
    GrowthFit fit;
    std::vector<double> t;         // since the start, never negative, of the rows where the reference is known
    std::vector<double> error;     // Euclidean norm over q and p
    std::vector<double> envelope;  // the largest error so far
    double size = 0;               // diameter of the motion
    double accuracy = 0;           // of the reference: how much halving its steps changed it, at most
    std::string reference;         // the method and step of it
    // Largest error in the first quarter, the first half, and all of the run.
    [[nodiscard]] double largest_until(double time) const;
};
// `reference`: a method for the other run; empty: one of high order that suits the model. Its steps divide those of the
// run, and are halved until that no longer matters. Rows from where the reference itself is lost, as it is in chaotic
// motions, are left out. InputError if there is no such method, or it fails, or fewer than `least_growth_rows` rows are
// known.
inline constexpr std::size_t least_growth_rows = 10;
ErrorGrowth error_growth(const Trajectory& trajectory, const std::string& reference = {});

}  // namespace libration
