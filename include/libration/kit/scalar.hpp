// The requirements on a number type, so that expressions, systems and methods can be written once for all of them.
//
//   Real<S>   the ordered part of S: the number itself, or the value part of a dual number
//   Mask<S>   the result of comparing two Real<S>: bool, one bool per lane, or a traced condition
//   lit<S>    an exact ratio of integers;  from_text<S>  a literal of a model, read at the precision of S
//   mad       x*y + z, fused where the hardware fuses
//   less, select, absv, maxv, minv   choices without a branch
//   magnitude all parts made positive; floors(r, f): the largest |part of r| / part of f, a unit-free norm
//
// Method code never branches on a scalar: it calls these, and `iterate` for the one data-dependent loop.
#pragma once

#include <libration/kit/elementary.hpp>
#include <libration/kit/quad.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace [[gnu::visibility("default")]] libration {

template <class S>
struct ScalarTraits;

template <class S>
using Real = typename ScalarTraits<S>::Real;
template <class S>
using Mask = typename ScalarTraits<S>::Mask;
// Not a lane and not recorded: code may branch on it.
template <class S>
concept OneTrajectory = std::same_as < Mask<S>,
bool > ;

// The exact ratio numerator/denominator, rounded once.
template <class S>
S lit(std::int64_t numerator, std::int64_t denominator = 1) {
    return ScalarTraits<S>::ratio(numerator, denominator);
}

// Reads "3", "-0.1", "1e-3", "1/3" or "pi" at the precision of S. The text must be one of these forms.
template <class S>
S from_text(std::string_view text) {
    return ScalarTraits<S>::read(text);
}

// The distance from 1 to the next number.
template <class S>
Real<S> epsilon() {
    return ScalarTraits<S>::epsilon();
}

// A double taken as it is; no precision is gained.
template <class S>
S from_double(double x) {
    return ScalarTraits<S>::from_double(x);
}

// True for scalars that record operations instead of performing them.
template <class S>
inline constexpr bool records_operations = false;

// A real number as a scalar; tangents are zero.
template <class S>
S from_real(const Real<S>& x) {
    if constexpr (std::is_same_v<S, Real<S>>) {
        return x;
    } else {
        S result = lit<S>(0);
        result.value = from_real<decltype(result.value)>(x);
        return result;
    }
}

// ---------------------------------------------------------------------------------------------------------- double

template <>
struct ScalarTraits<double> {
    using Real = double;
    using Mask = bool;
    static double ratio(std::int64_t n, std::int64_t d) { return static_cast<double>(n) / static_cast<double>(d); }
    static double read(std::string_view text);
    static double from_double(double x) { return x; }
    static double epsilon() { return std::numeric_limits<double>::epsilon(); }
};

inline double absv(double x) { return __builtin_fabs(x); }
inline double sign(double x) { return x > 0 ? 1.0 : (x < 0 ? -1.0 : x); }
inline double maxv(double x, double y) { return x < y ? y : x; }
inline double minv(double x, double y) { return y < x ? y : x; }
inline bool less(double x, double y) { return x < y; }
inline bool less_equal(double x, double y) { return x <= y; }
inline bool equal(double x, double y) { return x == y; }
inline double select(bool mask, double x, double y) { return mask ? x : y; }
inline double magnitude(double x) { return absv(x); }
// 0/0 counts as 0: a row whose terms all vanish has no error.
inline double floors(double r, double f) { return r == 0 ? 0.0 : absv(r) / f; }
inline double real_part(double x) { return x; }
inline double to_double(double x) { return x; }
// The function of a table (expression/table.hpp) or one of its derivatives. `table` is the number of the table, both
// are whole numbers. Out of line, so that the interpreter and generated code run the same instructions.
double interpolate(double x, double table, double derivative);

// ------------------------------------------------------------------------------------------------------------ quad

#ifdef LIBRATION_HAS_QUAD
template <>
struct ScalarTraits<Quad> {
    using Real = Quad;
    using Mask = bool;
    static Quad ratio(std::int64_t n, std::int64_t d) { return static_cast<Quad>(n) / static_cast<Quad>(d); }
    static Quad read(std::string_view text);
    static Quad from_double(double x) { return static_cast<Quad>(x); }
    static Quad epsilon() { return quad_epsilon; }
};

inline Quad absv(Quad x) { return fabsq(x); }
inline Quad sign(Quad x) { return x > 0 ? Quad{1} : (x < 0 ? Quad{-1} : x); }
inline Quad maxv(Quad x, Quad y) { return x < y ? y : x; }
inline Quad minv(Quad x, Quad y) { return y < x ? y : x; }
inline bool less(Quad x, Quad y) { return x < y; }
inline bool less_equal(Quad x, Quad y) { return x <= y; }
inline bool equal(Quad x, Quad y) { return x == y; }
inline Quad select(bool mask, Quad x, Quad y) { return mask ? x : y; }
inline Quad magnitude(Quad x) { return fabsq(x); }
inline Quad floors(Quad r, Quad f) { return r == 0 ? Quad{0} : fabsq(r) / f; }
inline Quad real_part(Quad x) { return x; }
inline double to_double(Quad x) { return static_cast<double>(x); }
// Not fused: the emulated fusion costs some hundred operations and is not needed.
inline Quad mad(Quad x, Quad y, Quad z) { return x * y + z; }
inline Quad sqrt(Quad x) { return sqrtq(x); }
inline Quad cbrt(Quad x) { return cbrtq(x); }
inline Quad exp(Quad x) { return expq(x); }
inline Quad log(Quad x) { return logq(x); }
inline Quad sin(Quad x) { return sinq(x); }
inline Quad cos(Quad x) { return cosq(x); }
inline Quad tan(Quad x) { return tanq(x); }
inline Quad asin(Quad x) { return asinq(x); }
inline Quad acos(Quad x) { return acosq(x); }
inline Quad atan(Quad x) { return atanq(x); }
inline Quad sinh(Quad x) { return sinhq(x); }
inline Quad cosh(Quad x) { return coshq(x); }
inline Quad tanh(Quad x) { return tanhq(x); }
inline Quad asinh(Quad x) { return asinhq(x); }
inline Quad acosh(Quad x) { return acoshq(x); }
inline Quad atanh(Quad x) { return atanhq(x); }
inline Quad floor(Quad x) { return floorq(x); }
Quad interpolate(Quad x, Quad table, Quad derivative);
inline Quad pow(Quad x, Quad y) { return powq(x, y); }
inline Quad atan2(Quad y, Quad x) { return atan2q(y, x); }
inline Quad hypot(Quad x, Quad y) { return hypotq(x, y); }
#endif

// The part of x affected by rounding although a low part is stored with it: its last digit. Tangents of dual numbers
// count whole: the tangent of an expression that is near zero is a sum of products with them.
template <class S>
S held_size(const S& x) {
    return from_real<S>(epsilon<S>()) * magnitude(x);
}

// The larger of each part: of a dual number, value and tangents apart. For bounds made of magnitudes.
template <class S>
S larger_parts(const S& a, const S& b) {
    return maxv(a, b);
}

// The larger of two residuals; one that is not finite makes the result not a number, and it stays so.
template <class R>
R worse(const R& worst, const R& next) {
    return maxv(worst, next) + (next - next);
}

// Masks of one lane.
inline bool both(bool a, bool b) { return a && b; }
inline bool either(bool a, bool b) { return a || b; }
inline bool negate(bool a) { return !a; }
inline bool any(bool a) { return a; }

}  // namespace libration
