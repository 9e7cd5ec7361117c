// Sums and maxima over long arrays, with several partial results so that no addition waits for the one before. The order is
// fixed by the code and the same on every processor.
#pragma once

#include <libration/scalar/scalar.hpp>
#include <libration/scalar/tuned.hpp>

#include <array>
#include <cstddef>

namespace libration {

namespace reduce_detail {

// Scalars other than double are heavy themselves, and what a tracer records should stay short.
template <class S>
inline constexpr std::size_t parts = std::is_same_v<S, double> ? 8 : 1;

}  // namespace reduce_detail

// The largest of value(0), ..., value(size - 1), none of them negative, and 0; not a number if one is not finite. `value` must
// be LIBRATION_TUNED.
template <class S, class Value>
LIBRATION_INLINE Real<S> largest_of(std::size_t size, Value value) {
    using R = Real<S>;
    constexpr std::size_t parts = reduce_detail::parts<S>;
    std::array<R, parts> most, poison;
    most.fill(lit<R>(0));
    poison.fill(lit<R>(0));
    std::size_t i = 0;
    for (; i + parts <= size; i += parts) {
        for (std::size_t l = 0; l < parts; ++l) {
            const R next = value(i + l);
            most[l] = maxv(most[l], next);
            poison[l] = poison[l] + (next - next);
        }
    }
    for (; i < size; ++i) {
        const R next = value(i);
        most[0] = maxv(most[0], next);
        poison[0] = poison[0] + (next - next);
    }
    for (std::size_t l = 1; l < parts; ++l) {
        most[0] = maxv(most[0], most[l]);
        poison[0] = poison[0] + poison[l];
    }
    return most[0] + poison[0];
}

// value(0) + ... + value(size - 1), in a fixed order. `value` must be LIBRATION_TUNED.
template <class S, class Value>
LIBRATION_INLINE S sum_of(std::size_t size, Value value) {
    constexpr std::size_t parts = reduce_detail::parts<S>;
    std::array<S, parts> sum;
    sum.fill(lit<S>(0));
    std::size_t i = 0;
    for (; i + parts <= size; i += parts) {
        std::array<S, parts> next;
        for (std::size_t l = 0; l < parts; ++l) {
            next[l] = value(i + l);
        }
        for (std::size_t l = 0; l < parts; ++l) {
            sum[l] = sum[l] + next[l];
        }
    }
    for (; i < size; ++i) {
        sum[0] = sum[0] + value(i);
    }
    for (std::size_t l = 1; l < parts; ++l) {
        sum[0] = sum[0] + sum[l];
    }
    return sum[0];
}

}  // namespace libration
