// The interval of periodicity of a partitioned method [Jay 1998, (30) and Definition 5.3].
//
// On y' = z, z' = -y with step mu a pair (A for y, Ahat for z) makes y1 = alpha y0 + beta z0, z1 = -gamma y0 + alpha'
// z0,
//   beta = mu b^T (I + mu^2 Ahat A)^-1 1,  gamma = mu b^T (I + mu^2 A Ahat)^-1 1.
// If the determinant alpha alpha' + beta gamma is 1, the eigenvalues are on the unit circle and different where 4 beta
// gamma > (alpha - alpha')^2. If alpha = alpha', as for symmetric methods, that is beta gamma > 0; if beta = gamma, as
// for a symplectic method and its adjoint, it is (2 beta - alpha + alpha') (2 beta + alpha - alpha') > 0. Either way
// the interval ends at a simple zero of one of two functions that look like sin(mu). A scan of the eigenvalues would
// need steps as small as the windows of instability between two such zeros.
#pragma once

#include "coefficients/tableau.hpp"

#include <optional>

namespace libration {

enum class PeriodicityKind {
    none,        // the determinant is not 1: damped or growing
    undecided,   // neither alpha = alpha' nor beta = gamma
    interval,    // stable for 0 < mu < end
    everywhere,  // a rotation for all mu: alpha = alpha' and beta = gamma
    not_found    // no instability up to mu = 100 that is wider than round-off; nothing is known beyond
};

inline constexpr double periodicity_largest_mu = 100;

struct Periodicity {
    PeriodicityKind kind;
    Wide end = 0;
    std::optional<Wide> stable_again = {};  // where the window of instability closes, if within pi
    // Places before `end` where both functions vanish to round-off: there the step is +-identity, or the window of
    // instability is too narrow to be seen in 34 digits.
    std::size_t passed_over = 0;
};

Periodicity periodicity(const Tableau& a, const Tableau& ahat);

// The moduli of the eigenvalues of the stability matrix (30), largest first.
struct Moduli {
    double larger, smaller;
};

Moduli stability_matrix_moduli(const Tableau& a, const Tableau& ahat, Wide mu);

}  // namespace libration
