// Piecewise polynomials, known by a number: the functions of tables, as every scalar evaluates them.
#pragma once

#include <libration/kit/scalar.hpp>

#include <array>
#include <optional>
#include <vector>

namespace libration {

// The most precise scalar of this compiler: coefficients are computed in it and rounded once.
#ifdef LIBRATION_HAS_QUAD
using WideScalar = Quad;
#else
using WideScalar = double;
#endif

// Between knots[k] and knots[k + 1] the polynomial c[0] + u*(c[1] + u*(c[2] + u*c[3])) in u = x - knots[k]; constant
// before the first and from the last knot on.
template <class R>
struct PiecewisePolynomial {
    std::vector<R> knots;
    std::vector<std::array<R, 4>> coefficients;  // one fewer
    R first, last;
};

// In the place of the number of a derivative: the number of knots up to x. It changes where the polynomial does.
inline constexpr int piece_number = -2;

// Kept until the process ends. The number is what `interpolate` takes; nothing where there are sixteen million already.
std::optional<std::size_t> keep_piecewise(PiecewisePolynomial<WideScalar> function);

}  // namespace libration
