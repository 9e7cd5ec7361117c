// What maps of stages share when a step is tried with several lengths.
#pragma once

#include <libration/kit/scalar.hpp>

#include <span>

namespace libration {

// The increments of stages that were found with the step `from`, as a first guess for the step `to`.
template <class S>
void rescale_increments(std::span<S> increments, const S& to, const S& from) {
    const S ratio = to / from;
    for (auto& value : increments) {
        value = ratio * value;
    }
}

// Where the last multiplier is left to the projection, its reaction is what that took away from p1, h b_s G^T Lambda_s;
// without it the slopes of a step and of its reverse would differ. `weight`: h b_s.
template <class S>
void add_last_reaction(std::span<const S> kick, const S& weight, std::span<S> slope) {
    for (std::size_t k = 0; k < slope.size(); ++k) {
        slope[k] = slope[k] - kick[k] / weight;
    }
}

}  // namespace libration
