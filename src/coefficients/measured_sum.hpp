// A sum that knows how large its terms were, so that a zero can be told from a small number.
#pragma once

#include "wide.hpp"

namespace libration {

struct MeasuredSum {
    Wide value = 0, size = 0;

    MeasuredSum() = default;
    MeasuredSum(Wide x) : value(x), size(wide_abs(x)) {}  // NOLINT(google-explicit-constructor): it is a number

    friend MeasuredSum operator+(MeasuredSum a, const MeasuredSum& b) {
        a.value += b.value;
        a.size += b.size;
        return a;
    }
    friend MeasuredSum operator*(MeasuredSum a, const MeasuredSum& b) {
        a.value *= b.value;
        a.size *= b.size;
        return a;
    }
    friend MeasuredSum operator-(MeasuredSum a) {
        a.value = -a.value;
        return a;
    }

    // Every term has gone through at most `operations` roundings.
    [[nodiscard]] bool vanishes(std::size_t operations) const {
        return wide_abs(value) <= static_cast<Wide>(operations) * wide_epsilon * size;
    }
};

}  // namespace libration
