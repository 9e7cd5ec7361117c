// Dual numbers: a value and its derivatives in `dual_width` directions. Running a method on them gives its exact
// tangent map, so symplecticity is measured to round-off. One width only; more directions are taken in chunks.
#pragma once

#include <libration/kit/scalar.hpp>

#include <array>

namespace [[gnu::visibility("default")]] libration {

inline constexpr int dual_width = 4;

template <class T>
struct Dual {
    T value{};
    std::array<T, dual_width> tangent{};
};

template <class T>
struct ScalarTraits<Dual<T>> {
    using Real = libration::Real<T>;
    using Mask = libration::Mask<T>;
    static Dual<T> ratio(std::int64_t n, std::int64_t d) { return {lit<T>(n, d), zeros()}; }
    static Dual<T> read(std::string_view text) { return {from_text<T>(text), zeros()}; }
    static Dual<T> from_double(double x) { return {libration::from_double<T>(x), zeros()}; }
    static Real epsilon() { return libration::epsilon<T>(); }

  private:
    static std::array<T, dual_width> zeros() {
        std::array<T, dual_width> all;
        all.fill(lit<T>(0));
        return all;
    }
};

namespace dual_detail {

// f(a) with derivative slope.
template <class T>
Dual<T> chain(const Dual<T>& a, const T& value, const T& slope) {
    Dual<T> result{value, {}};
    for (int k = 0; k < dual_width; ++k) {
        result.tangent[k] = slope * a.tangent[k];
    }
    return result;
}

// f(a, b) with partial derivatives fa, fb.
template <class T>
Dual<T> chain(const Dual<T>& a, const Dual<T>& b, const T& value, const T& fa, const T& fb) {
    Dual<T> result{value, {}};
    for (int k = 0; k < dual_width; ++k) {
        result.tangent[k] = fa * a.tangent[k] + fb * b.tangent[k];
    }
    return result;
}

template <class T, class F>
Dual<T> by_parts(const Dual<T>& a, F f) {
    Dual<T> result{f(a.value), {}};
    for (int k = 0; k < dual_width; ++k) {
        result.tangent[k] = f(a.tangent[k]);
    }
    return result;
}

template <class T, class F>
Dual<T> by_parts(const Dual<T>& a, const Dual<T>& b, F f) {
    Dual<T> result{f(a.value, b.value), {}};
    for (int k = 0; k < dual_width; ++k) {
        result.tangent[k] = f(a.tangent[k], b.tangent[k]);
    }
    return result;
}

}  // namespace dual_detail

template <class T>
Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) {
    return dual_detail::by_parts(a, b, [](const T& x, const T& y) { return x + y; });
}
template <class T>
Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
    return dual_detail::by_parts(a, b, [](const T& x, const T& y) { return x - y; });
}
template <class T>
Dual<T> operator-(const Dual<T>& a) {
    return dual_detail::by_parts(a, [](const T& x) { return -x; });
}
template <class T>
Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
    return dual_detail::chain(a, b, T(a.value * b.value), b.value, a.value);
}
template <class T>
Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
    const T quotient = a.value / b.value;
    Dual<T> result{quotient, {}};
    for (int k = 0; k < dual_width; ++k) {
        result.tangent[k] = (a.tangent[k] - quotient * b.tangent[k]) / b.value;
    }
    return result;
}
template <class T>
Dual<T> mad(const Dual<T>& a, const Dual<T>& b, const Dual<T>& c) {
    Dual<T> result{mad(a.value, b.value, c.value), {}};
    for (int k = 0; k < dual_width; ++k) {
        result.tangent[k] = mad(a.value, b.tangent[k], mad(a.tangent[k], b.value, c.tangent[k]));
    }
    return result;
}

template <class T>
Dual<T> select(const Mask<T>& mask, const Dual<T>& a, const Dual<T>& b) {
    return dual_detail::by_parts(a, b, [&](const T& x, const T& y) { return select(mask, x, y); });
}
template <class T>
Mask<T> less(const Dual<T>& a, const Dual<T>& b) {
    return less(a.value, b.value);
}
template <class T>
Mask<T> less_equal(const Dual<T>& a, const Dual<T>& b) {
    return less_equal(a.value, b.value);
}
template <class T>
Mask<T> equal(const Dual<T>& a, const Dual<T>& b) {
    return equal(a.value, b.value);
}
template <class T>
Dual<T> maxv(const Dual<T>& a, const Dual<T>& b) {
    return select(less(a.value, b.value), b, a);
}
template <class T>
Dual<T> minv(const Dual<T>& a, const Dual<T>& b) {
    return select(less(b.value, a.value), b, a);
}
template <class T>
Dual<T> absv(const Dual<T>& a) {
    return dual_detail::chain(a, absv(a.value), sign(a.value));
}
template <class T>
Dual<T> sign(const Dual<T>& a) {
    return dual_detail::chain(a, sign(a.value), lit<T>(0));
}
template <class T>
Dual<T> floor(const Dual<T>& a) {
    return dual_detail::chain(a, floor(a.value), lit<T>(0));
}
template <class T>
Dual<T> interpolate(const Dual<T>& x, const Dual<T>& table, const Dual<T>& derivative) {
    const T next = derivative.value + lit<T>(1);
    return dual_detail::chain(x, interpolate(x.value, table.value, derivative.value),
                              interpolate(x.value, table.value, next));
}
// Products of magnitudes bound every part of the product, because the product rule then adds positive terms only.
template <class T>
Dual<T> magnitude(const Dual<T>& a) {
    return dual_detail::by_parts(a, [](const T& x) { return absv(x); });
}
template <class T>
Dual<T> held_size(const Dual<T>& x) {
    Dual<T> result = magnitude(x);
    result.value = held_size(x.value);
    return result;
}
template <class T>
Dual<T> larger_parts(const Dual<T>& a, const Dual<T>& b) {
    Dual<T> result = a;
    result.value = maxv(a.value, b.value);
    for (int k = 0; k < dual_width; ++k) {
        result.tangent[k] = maxv(a.tangent[k], b.tangent[k]);
    }
    return result;
}
template <class T>
Real<T> floors(const Dual<T>& r, const Dual<T>& f) {
    Real<T> worst = floors(r.value, f.value);
    for (int k = 0; k < dual_width; ++k) {
        worst = worse(worst, floors(r.tangent[k], f.tangent[k]));
    }
    return worst;
}
template <class T>
Real<T> real_part(const Dual<T>& a) {
    return real_part(a.value);
}
template <class T>
double to_double(const Dual<T>& a) {
    return to_double(a.value);
}

template <class T>
Dual<T> sqrt(const Dual<T>& a) {
    const T root = sqrt(a.value);
    return dual_detail::chain(a, root, T(lit<T>(1, 2) / root));
}
template <class T>
Dual<T> cbrt(const Dual<T>& a) {
    const T root = cbrt(a.value);
    return dual_detail::chain(a, root, T(lit<T>(1, 3) / (root * root)));
}
template <class T>
Dual<T> exp(const Dual<T>& a) {
    const T value = exp(a.value);
    return dual_detail::chain(a, value, value);
}
template <class T>
Dual<T> log(const Dual<T>& a) {
    return dual_detail::chain(a, log(a.value), T(lit<T>(1) / a.value));
}
template <class T>
Dual<T> sin(const Dual<T>& a) {
    return dual_detail::chain(a, sin(a.value), cos(a.value));
}
template <class T>
Dual<T> cos(const Dual<T>& a) {
    return dual_detail::chain(a, cos(a.value), T(-sin(a.value)));
}
template <class T>
Dual<T> tan(const Dual<T>& a) {
    const T value = tan(a.value);
    return dual_detail::chain(a, value, T(lit<T>(1) + value * value));
}
template <class T>
Dual<T> asin(const Dual<T>& a) {
    return dual_detail::chain(a, asin(a.value), T(lit<T>(1) / sqrt(T(lit<T>(1) - a.value * a.value))));
}
template <class T>
Dual<T> acos(const Dual<T>& a) {
    return dual_detail::chain(a, acos(a.value), T(-(lit<T>(1) / sqrt(T(lit<T>(1) - a.value * a.value)))));
}
template <class T>
Dual<T> atan(const Dual<T>& a) {
    return dual_detail::chain(a, atan(a.value), T(lit<T>(1) / (lit<T>(1) + a.value * a.value)));
}
template <class T>
Dual<T> sinh(const Dual<T>& a) {
    return dual_detail::chain(a, sinh(a.value), cosh(a.value));
}
template <class T>
Dual<T> cosh(const Dual<T>& a) {
    return dual_detail::chain(a, cosh(a.value), sinh(a.value));
}
template <class T>
Dual<T> tanh(const Dual<T>& a) {
    const T value = tanh(a.value);
    return dual_detail::chain(a, value, T(lit<T>(1) - value * value));
}
template <class T>
Dual<T> asinh(const Dual<T>& a) {
    return dual_detail::chain(a, asinh(a.value), T(lit<T>(1) / sqrt(T(a.value * a.value + lit<T>(1)))));
}
template <class T>
Dual<T> acosh(const Dual<T>& a) {
    return dual_detail::chain(a, acosh(a.value), T(lit<T>(1) / sqrt(T(a.value * a.value - lit<T>(1)))));
}
template <class T>
Dual<T> atanh(const Dual<T>& a) {
    return dual_detail::chain(a, atanh(a.value), T(lit<T>(1) / (lit<T>(1) - a.value * a.value)));
}
template <class T>
Dual<T> pow(const Dual<T>& a, const Dual<T>& b) {
    const T value = pow(a.value, b.value);
    const T in_base = b.value * pow(a.value, T(b.value - lit<T>(1)));
    // A constant exponent must not ask for the logarithm of a negative base.
    T in_exponent = value * log(a.value);
    in_exponent = select(less(lit<T>(0), a.value), in_exponent, lit<T>(0));
    return dual_detail::chain(a, b, value, in_base, in_exponent);
}
template <class T>
Dual<T> atan2(const Dual<T>& y, const Dual<T>& x) {
    const T square = x.value * x.value + y.value * y.value;
    return dual_detail::chain(y, x, atan2(y.value, x.value), T(x.value / square), T(-(y.value / square)));
}
template <class T>
Dual<T> hypot(const Dual<T>& a, const Dual<T>& b) {
    const T value = hypot(a.value, b.value);
    return dual_detail::chain(a, b, value, T(a.value / value), T(b.value / value));
}

}  // namespace libration
