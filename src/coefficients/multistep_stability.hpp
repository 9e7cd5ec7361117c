// What the roots of a symmetric multistep pair say: conditions (12) and (13) of [CHL] with margins, the
// interval of periodicity, and how strongly the oscillating (parasitic) parts answer to a disturbance.
#pragma once

#include "multistep.hpp"

#include <string>
#include <vector>

namespace libration {

// Roots come in pairs zeta, 1/zeta and their conjugates; this is the one with modulus >= 1 and angle in [0, pi].
struct MultistepRoot {
    double modulus = 1, angle = 0;
};

// With x = zeta + 1/zeta: all x must be real, different from each other, and inside (-2, 2).
struct RootCondition {
    bool holds = true;
    double margin =
        2;  // the smallest distance of the x from each other and from -2 and 2; 1 - max |zeta| if one is outside
    std::string fault;  // in words; empty if it holds
};

struct MultistepStability {
    std::vector<MultistepRoot> rho_roots;    // without the double root 1, by angle
    std::vector<MultistepRoot> sigma_roots;  // without the root 0, by modulus, then by angle
    RootCondition rho;                       // (12)
    RootCondition sigma;                     // (13)
    RootCondition irreducible;               // rho and sigma have no common root; margin: smallest distance in x
    double largest_root = 1;                 // max |zeta| of sigma
    // Omega: on q'' = -omega^2 q all roots of rho + (h omega)^2 sigma are on the unit circle for 0 < h omega < Omega.
    double periodicity = 0;
    // The fraction of max |sigma| on the unit circle by which sigma can be disturbed, symmetrically, before roots of it
    // can meet and leave the circle; 0 if (13) does not hold. In a constrained run sigma acts on G(q_n+j)^T lambda_n+j,
    // and G changes within the k steps: that is such a disturbance. On the boundary of the region of (13) the depth is
    // 0.
    double depth = 0;
    // sigma(1) sum 1/|rho'(zeta)| over the roots but 1, and the same with sigma'(zeta): how much larger than its smooth
    // part the oscillating part of the answer of q, and of the multipliers, to one disturbance is. Infinite where the
    // condition fails.
    double rho_response = 0, sigma_response = 0;

    [[nodiscard]] bool holds() const { return rho.holds && sigma.holds && irreducible.holds; }
    // All conditions, with some distance from their boundary: good enough to be proposed.
    [[nodiscard]] bool good() const;
};

// What `good` asks of both margins, and at most of sigma_response. (0.66, -0.26), which has the largest Omega of order
// 6 and fails on the triple pendulum, has the response 63; the choices of the paper have 2.0 and 3.4.
inline constexpr double good_root_margin = 0.05;
inline constexpr double good_sigma_response = 20;

MultistepStability multistep_stability(const MultistepPair& pair);
// Condition (13) alone; cheap enough for pictures.
RootCondition sigma_condition(const MultistepPair& pair);

}  // namespace libration
