// A pack of doubles, one trajectory per lane. Every operation acts lane by lane with the operations of double, so each
// lane is bitwise identical to the same trajectory run alone.
#pragma once

#include <libration/kit/scalar.hpp>

#include <array>

namespace [[gnu::visibility("default")]] libration {

inline constexpr int pack_width = 8;

struct PackMask {
    std::array<bool, pack_width> lane{};
};

struct Pack {
    std::array<double, pack_width> lane{};
};

namespace pack_detail {

template <class F>
Pack lanes(const Pack& a, F f) {
    Pack r;
    for (int i = 0; i < pack_width; ++i) {
        r.lane[i] = f(a.lane[i]);
    }
    return r;
}
template <class F>
Pack lanes(const Pack& a, const Pack& b, F f) {
    Pack r;
    for (int i = 0; i < pack_width; ++i) {
        r.lane[i] = f(a.lane[i], b.lane[i]);
    }
    return r;
}
template <class F>
PackMask compare(const Pack& a, const Pack& b, F f) {
    PackMask r;
    for (int i = 0; i < pack_width; ++i) {
        r.lane[i] = f(a.lane[i], b.lane[i]);
    }
    return r;
}
template <class F>
PackMask combine(const PackMask& a, const PackMask& b, F f) {
    PackMask r;
    for (int i = 0; i < pack_width; ++i) {
        r.lane[i] = f(a.lane[i], b.lane[i]);
    }
    return r;
}
inline Pack fill(double x) {
    Pack r;
    r.lane.fill(x);
    return r;
}

}  // namespace pack_detail

template <>
struct ScalarTraits<Pack> {
    using Real = Pack;
    using Mask = PackMask;
    static Pack ratio(std::int64_t n, std::int64_t d) { return pack_detail::fill(lit<double>(n, d)); }
    static Pack read(std::string_view text) { return pack_detail::fill(from_text<double>(text)); }
    static Pack from_double(double x) { return pack_detail::fill(x); }
    static Pack epsilon() { return pack_detail::fill(libration::epsilon<double>()); }
};

inline Pack operator+(const Pack& a, const Pack& b) {
    return pack_detail::lanes(a, b, [](double x, double y) { return x + y; });
}
inline Pack operator-(const Pack& a, const Pack& b) {
    return pack_detail::lanes(a, b, [](double x, double y) { return x - y; });
}
inline Pack operator-(const Pack& a) {
    return pack_detail::lanes(a, [](double x) { return -x; });
}
inline Pack operator*(const Pack& a, const Pack& b) {
    return pack_detail::lanes(a, b, [](double x, double y) { return x * y; });
}
inline Pack operator/(const Pack& a, const Pack& b) {
    return pack_detail::lanes(a, b, [](double x, double y) { return x / y; });
}
inline Pack mad(const Pack& a, const Pack& b, const Pack& c) {
    Pack r;
    for (int i = 0; i < pack_width; ++i) {
        r.lane[i] = mad(a.lane[i], b.lane[i], c.lane[i]);
    }
    return r;
}
inline Pack select(const PackMask& mask, const Pack& a, const Pack& b) {
    Pack r;
    for (int i = 0; i < pack_width; ++i) {
        r.lane[i] = mask.lane[i] ? a.lane[i] : b.lane[i];
    }
    return r;
}

inline Pack interpolate(const Pack& x, const Pack& table, const Pack& derivative) {
    Pack r;
    for (int i = 0; i < pack_width; ++i) {
        r.lane[i] = interpolate(x.lane[i], table.lane[i], derivative.lane[i]);
    }
    return r;
}

#define LIBRATION_PACK_UNARY(name)                                                 \
    inline Pack name(const Pack& a) {                                              \
        return pack_detail::lanes(a, [](double x) { return libration::name(x); }); \
    }
#define LIBRATION_PACK_BINARY(name)                                                                \
    inline Pack name(const Pack& a, const Pack& b) {                                               \
        return pack_detail::lanes(a, b, [](double x, double y) { return libration::name(x, y); }); \
    }
#define LIBRATION_PACK_COMPARE(name)                                                                 \
    inline PackMask name(const Pack& a, const Pack& b) {                                             \
        return pack_detail::compare(a, b, [](double x, double y) { return libration::name(x, y); }); \
    }
LIBRATION_PACK_UNARY(absv)
LIBRATION_PACK_UNARY(sign)
LIBRATION_PACK_UNARY(magnitude)
LIBRATION_PACK_UNARY(floor)
LIBRATION_PACK_UNARY(sqrt)
LIBRATION_PACK_UNARY(cbrt)
LIBRATION_PACK_UNARY(exp)
LIBRATION_PACK_UNARY(log)
LIBRATION_PACK_UNARY(sin)
LIBRATION_PACK_UNARY(cos)
LIBRATION_PACK_UNARY(tan)
LIBRATION_PACK_UNARY(asin)
LIBRATION_PACK_UNARY(acos)
LIBRATION_PACK_UNARY(atan)
LIBRATION_PACK_UNARY(sinh)
LIBRATION_PACK_UNARY(cosh)
LIBRATION_PACK_UNARY(tanh)
LIBRATION_PACK_UNARY(asinh)
LIBRATION_PACK_UNARY(acosh)
LIBRATION_PACK_UNARY(atanh)
LIBRATION_PACK_BINARY(maxv)
LIBRATION_PACK_BINARY(minv)
LIBRATION_PACK_BINARY(pow)
LIBRATION_PACK_BINARY(atan2)
LIBRATION_PACK_BINARY(hypot)
LIBRATION_PACK_BINARY(floors)
LIBRATION_PACK_COMPARE(less)
LIBRATION_PACK_COMPARE(less_equal)
LIBRATION_PACK_COMPARE(equal)
#undef LIBRATION_PACK_UNARY
#undef LIBRATION_PACK_BINARY
#undef LIBRATION_PACK_COMPARE

inline Pack real_part(const Pack& a) { return a; }
inline PackMask both(const PackMask& a, const PackMask& b) {
    return pack_detail::combine(a, b, [](bool x, bool y) { return x && y; });
}
inline PackMask either(const PackMask& a, const PackMask& b) {
    return pack_detail::combine(a, b, [](bool x, bool y) { return x || y; });
}
inline PackMask negate(const PackMask& a) {
    return pack_detail::combine(a, a, [](bool x, bool) { return !x; });
}
inline bool any(const PackMask& a) {
    for (const bool lane : a.lane) {
        if (lane) {
            return true;
        }
    }
    return false;
}

}  // namespace libration
