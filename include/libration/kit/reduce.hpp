// Sums and maxima over long arrays, with several partial results so that no addition waits for the one before. The
// order is fixed by the code and the same on every processor.
#pragma once

#include <libration/kit/scalar.hpp>
#include <libration/kit/tuned.hpp>

#include <array>
#include <cstddef>

namespace [[gnu::visibility("default")]] libration {

// The same for all scalars: a sum has the same bits in every lane of a pack as alone.
inline constexpr std::size_t partial_results = 8;

template <class S>
LIBRATION_INLINE S total_of(const std::array<S, partial_results>& parts, std::size_t count = partial_results) {
    S sum = parts[0];
    for (std::size_t l = 1; l < count; ++l) {
        sum = sum + parts[l];
    }
    return sum;
}

// The largest of value(0), ..., value(size - 1), none of them negative, and 0; not a number if one is not finite, or
// their sum is not. `value` must be LIBRATION_TUNED.
template <class S, class Value>
LIBRATION_INLINE Real<S> largest_of(std::size_t size, Value value) {
    using R = Real<S>;
    // The largest does not depend on the order. With this many parts the compiler keeps a loop and vectorizes
    // it.
    constexpr std::size_t parts = std::is_same_v<S, double> ? 64 : partial_results;
    std::array<R, parts> most, sum;
    most.fill(lit<R>(0));
    sum.fill(lit<R>(0));
    std::size_t i = 0;
    for (; i + parts <= size; i += parts) {
        for (std::size_t l = 0; l < parts; ++l) {
            const R next = value(i + l);
            most[l] = maxv(most[l], next);
            sum[l] = sum[l] + next;
        }
    }
    for (; i < size; ++i) {
        const R next = value(i);
        most[0] = maxv(most[0], next);
        sum[0] = sum[0] + next;
    }
    for (std::size_t l = 1; l < parts && size >= parts; ++l) {
        most[0] = maxv(most[0], most[l]);
        sum[0] = sum[0] + sum[l];
    }
    return most[0] + (sum[0] - sum[0]);
}

// value(0) + ... + value(size - 1), in a fixed order; 0 if there are none. `value` must be LIBRATION_TUNED.
template <class S, class Value>
LIBRATION_INLINE S sum_of(std::size_t size, Value value) {
    constexpr std::size_t parts = partial_results;
    std::array<S, parts> sum;
    sum.fill(lit<S>(0));
    for (std::size_t l = 0; l < parts && l < size; ++l) {
        sum[l] = value(l);
    }
    std::size_t i = parts;
    for (; i + parts <= size; i += parts) {
        std::array<S, parts> next;
        for (std::size_t l = 0; l < parts; ++l) {
            next[l] = value(i + l);
        }
        for (std::size_t l = 0; l < parts; ++l) {
            sum[l] = sum[l] + next[l];
        }
    }
    for (std::size_t l = 0; i + l < size; ++l) {
        sum[l] = sum[l] + value(i + l);
    }
    return total_of(sum, size < parts && size > 0 ? size : parts);
}

}  // namespace libration
