// The stability function R(z) = P(z)/Q(z) of a Runge-Kutta method, and what it says of linear equations.
//
//   R(z) = 1 + z b^T (I - z A)^-1 (1, ..., 1)^T,  Q = det(I - z A),  P = det(I - z (A - 1 b^T))   [Jay 1998, (25)]
// All polynomials have their lowest power first.
#pragma once

#include "expression/rational.hpp"
#include "w_transform.hpp"

#include <optional>
#include <vector>

namespace libration {

// The approximation of exp(z) with these degrees above and below the line that has order numerator + denominator.
struct Pade {
    std::size_t numerator, denominator;
};

struct StabilityFunction {
    std::vector<Wide> numerator, denominator;  // without trailing zeros; denominator[0] = 1
    std::vector<std::optional<Rational>> exact_numerator, exact_denominator;  // nothing for more than 53 bits
    std::optional<Pade> pade;
    std::optional<std::size_t> order;  // of R(z) - exp(z); nothing where more than 34 digits would be needed to see it
};

// In Legendre polynomials A is tridiagonal and 1 b^T is e1 e1^T, so that P and Q follow from a recursion of three terms
// whose coefficients are rational. Throws InputError for a tableau that is not tridiagonal there.
StabilityFunction stability_function(const WTransform& transform);

// |R(iy)|
Wide modulus_on_axis(const StabilityFunction& function, Wide y);

struct LinearStability {
    bool a_stable;                   // |R| < 1 for Re z < 0
    bool l_stable;                   // and R(infinity) = 0
    bool p_stable;                   // |R(iy)| = 1 for all y
    bool explosive;                  // |R| > 1 for Re z > 0
    bool unconditionally_explosive;  // and R(infinity) = infinity
};

LinearStability linear_stability(const StabilityFunction& function);

// |numerator/denominator| < 1 in the left half-plane: no pole there, and |denominator|^2 - |numerator|^2 >= 0 on the
// axis.
bool bounded_in_left_half_plane(const std::vector<Wide>& numerator, const std::vector<Wide>& denominator);

}  // namespace libration
