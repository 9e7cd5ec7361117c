// Sums over many steps keep what rounding drops: a value is a pair high + low with |low| at most half an ulp of high.
#pragma once

#include <libration/kit/scalar.hpp>
#include <libration/kit/tuned.hpp>

namespace [[gnu::visibility("default")]] libration {

template <class S>
struct Compensated {
    S high;
    S low;
};

// (high + low) + increment, exactly up to the rounding of low + increment. [Knuth's two-sum; no assumption on sizes]
template <class S>
LIBRATION_INLINE Compensated<S> add(const S& high, const S& low, const S& increment) {
    const S small = low + increment;
    const S sum = high + small;
    const S back = sum - high;
    return {sum, (high - (sum - back)) + (small - back)};
}

// The same with three operations less [Dekker's fast two-sum]. Where the increment is larger than high, the low part
// may be wrong by the last digit of the increment: for increments that are small, or were computed with such an error
// anyway.
template <class S>
LIBRATION_INLINE Compensated<S> add_small(const S& high, const S& low, const S& increment) {
    const S small = low + increment;
    const S sum = high + small;
    return {sum, small - (sum - high)};
}

}  // namespace libration
