// Several doubles at once, with shifts between neighbours, for the chain written by hand.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace bench {

#if defined(__AVX512F__)
constexpr std::size_t lanes = 8;
#elif defined(__AVX2__)
constexpr std::size_t lanes = 4;
#else
constexpr std::size_t lanes = 2;
#endif
using Vector = double __attribute__((vector_size(lanes * sizeof(double))));
using Bits = std::int64_t __attribute__((vector_size(lanes * sizeof(std::int64_t))));

// first, first + 1, ...
inline Bits counted_from(std::int64_t first) {
    Bits bits{};
    for (std::size_t k = 0; k < lanes; ++k) {
        bits[k] = first + static_cast<std::int64_t>(k);
    }
    return bits;
}

// `array + i` stands on a multiple of the vector's size.
inline Vector load(const double* array, std::size_t i) { return *reinterpret_cast<const Vector*>(array + i); }
inline void store(double* array, std::size_t i, Vector value) { *reinterpret_cast<Vector*>(array + i) = value; }
inline Vector all(double value) { return Vector{} + value; }

// Entries i - 1 and i + 1 of an array whose entries i are in `here`.
inline Vector before(Vector previous, Vector here) {
    return __builtin_shuffle(previous, here, counted_from(lanes - 1));
}
inline Vector behind(Vector here, Vector next) { return __builtin_shuffle(here, next, counted_from(1)); }
// The first `count` entries, and zeros.
inline Vector within(Vector value, std::size_t count) {
    return counted_from(0) < static_cast<std::int64_t>(count) ? value : Vector{};
}

inline Vector size(Vector value) {
    return std::bit_cast<Vector>(std::bit_cast<Bits>(value) & std::numeric_limits<std::int64_t>::max());
}
// Sizes of doubles compare as integers do, and what is not a number is larger than all numbers.
inline Bits larger(Bits worst, Vector value) {
    const Bits bits = std::bit_cast<Bits>(size(value));
    return bits > worst ? bits : worst;
}
inline double largest(Bits worst) {
    std::int64_t result = 0;
    for (std::size_t k = 0; k < lanes; ++k) {
        result = std::max<std::int64_t>(result, worst[k]);
    }
    return std::bit_cast<double>(result);
}

struct Pair {
    Vector high, low;
};

// (high + low) + increment [Knuth's two-sum], or high + increment
template <bool compensated>
inline Pair add(Vector high, Vector low, Vector increment) {
    if constexpr (!compensated) {
        return {high + increment, low};
    }
    const Vector small = low + increment;
    const Vector sum = high + small;
    const Vector back = sum - high;
    return {sum, (high - (sum - back)) + (small - back)};
}

}  // namespace bench
