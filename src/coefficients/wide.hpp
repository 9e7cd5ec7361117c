// The number that coefficients are computed and stored in, and the ways from it to the scalars of the methods.
#pragma once

#include <libration/kit/scalar.hpp>

#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace libration {

#ifdef LIBRATION_HAS_QUAD
using Wide = Quad;
inline constexpr Wide wide_epsilon = quad_epsilon;
#else
using Wide = long double;
inline constexpr Wide wide_epsilon = std::numeric_limits<long double>::epsilon();
#endif

Wide wide_sqrt(Wide x);
Wide wide_sin(Wide x);
Wide wide_cos(Wide x);
// x^(1/n) for x > 0.
Wide wide_root(Wide x, int n);
// A decimal number as text, such as "-0.25" or "1e-3"; the locale does not matter.
Wide wide_from_text(std::string_view text);
// With 17 significant digits, without needless zeros.
std::string wide_to_text(Wide x);

inline Wide wide_abs(Wide x) { return x < 0 ? -x : x; }

// A coefficient as double plus correction: x = high(x) + low(x) to about 106 bits.
inline double high(Wide x) { return static_cast<double>(x); }
inline double low(Wide x) { return static_cast<double>(x - static_cast<Wide>(high(x))); }

// The coefficient at the precision of S: all of it for scalars over Quad, high(x) for all others; tangents are zero.
template <class S>
S as_scalar(Wide x) {
    if constexpr (std::is_same_v<Real<S>, Wide>) {
        return from_real<S>(x);
    } else {
        return from_double<S>(high(x));
    }
}

}  // namespace libration
