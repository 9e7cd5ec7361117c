// The coefficients of a SPARK method for a given treatment of the terms, as data. [Jay 1998, (17)]
//
//     Q_i = q0 + h sum_j a_ij V_j                         component by component with its own a
//     P_i = p0 + h sum over terms sum_j a_ij f_j          term by term and component by component with its own a
//     0 = g(q0 + h sum_j a_ij V_j), i = 2..s              with the a of IIIA, whatever treats q'
//     q1 = q0 + h sum_j b_j V_j,  p1 = p0 + h sum_j b_j f_j,  0 = G(q1) v1
//
// All have the same nodes and weights. For h < 0 IIIC and IIIC* change places: they are adjoint to each other, the
// others to themselves, so that a step back undoes a step. [Jay 1998, (37)]
#pragma once

#include "coefficients/tableau.hpp"
#include "treatment.hpp"
#include <libration/kit/system.hpp>

namespace libration {

enum class Direction { forward, backward };

struct SparkScheme {
    Tableau constraint;          // IIIA
    std::vector<Tableau> mixes;  // of the treatment, in its order
    // The inverse of rows 2..s and columns 1..s-1 of A_IIIA A_w, which is the same matrix for w = IIIB, IIIC, IIIC*,
    // IIID. [Jay 1998, (21b)]
    std::vector<Wide> inverse_coupling;
};

SparkScheme spark_scheme(const Treatment& treatment, std::size_t stages, Direction direction);

// The mixes that terms of p' use.
std::vector<std::size_t> momentum_mixes(const Treatment& treatment);

// Whether the multiplier of the last stage can be left to a projection of p1: it acts on no stage (the last column of
// the matrix for the reactions is zero), and its direction is that of q1 (Q_s = q1: the last row for the positions is
// b).
bool last_multiplier_is_separate(const Treatment& treatment, const SparkScheme& scheme);

// Whether the step is that of the pair IIIA-IIIB: positions by IIIA, everything else by B, C, C* or D, and no term of
// p' contains the velocity. Then the stages of p act on those of q through A_IIIA A_w alone, which is the same for
// these four (21b): to damp a spring, its positions must be treated by C, too.
bool is_the_pair(const Treatment& treatment);

// Whether the form dq ^ dp is kept: b_i ahat_ij + b_j a_ji = b_i b_j for q' and every term of p' in each component, and
// with constraints q' by IIIA, so that the stages themselves lie on the constraints. [Jay 1998, Theorem 6.1]
bool keeps_symplectic_form(const SystemProperties& properties, std::size_t stages, bool constrained);

// Whether somewhere a term is treated with IIIC: it is declared to be stiff, or to damp, which may be stiff.
bool declares_stiff_terms(const Treatment& treatment);

// Whether corrections with frozen forces do not suffice for the stages, or are not wanted. Otherwise steps need no
// pivots.
bool needs_newton(const SystemProperties& properties, const Treatment& treatment);

}  // namespace libration
