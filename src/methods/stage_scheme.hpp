// A partitioned Runge-Kutta method for the constrained system, as data.
//
//     Q_i = q0 + h sum_j a_ij H_p(Q_j, P_j)          P_i = p0 - h sum_j ahat_ij (H_q(Q_j, P_j) + G(Q_j)^T Lambda_j)
//     0 = g(Q_i) for the rows i                      Lambda_j unknown for the columns j, zero for the others
//     q1 = q0 + h sum_j b_j H_p                      p1 = p0 - h sum_j b_j (H_q + G^T Lambda)           [Jay 1996, (3.3)]
#pragma once

#include "coefficients/tableau.hpp"

namespace libration {

struct StageScheme {
    Tableau q, p;                            // a and ahat; c and b are the same
    std::vector<std::size_t> rows, columns;  // equally many
    bool first_is_start = false;             // Q_1 = q0
    bool project_position = false;           // q1 is moved to g = 0 [Jay 1996, section 5]
    bool project_momentum = true;            // p1 is moved to G H_p = 0

    // Whether g(q1) = 0: the last stage is q1, or q1 is moved there.
    [[nodiscard]] bool ends_on_constraints() const;
    // (A0 Ahat0)^-1, A0 the rows of a, Ahat0 the columns of ahat. [Jay 1996, (3.15)]
    [[nodiscard]] std::vector<Wide> inverse_coupling() const;
};

// The pair IIIA - IIIB: position constraints at all stages but the first; the last multiplier is left to the hidden
// constraint.
StageScheme lobatto_scheme(std::size_t stages);
// One tableau for all, constraints at every stage.
StageScheme collocation_scheme(Family family, std::size_t stages, bool projected);

}  // namespace libration
