// From the points of a table to a piecewise polynomial.
#pragma once

#include "scalar/piecewise.hpp"

namespace libration {

// Straight lines between the points.
PiecewisePolynomial<WideScalar> linear_interpolant(const std::vector<WideScalar>& x, const std::vector<WideScalar>& y);
// The cubic spline whose third derivative is continuous at the second and at the last but one point, too (not-a-knot);
// of three points the parabola.
PiecewisePolynomial<WideScalar> cubic_interpolant(const std::vector<WideScalar>& x, const std::vector<WideScalar>& y);

}  // namespace libration
