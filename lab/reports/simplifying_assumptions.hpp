// How far the simplifying assumptions B(p), C(q), D(r), CC(Q), DD(R) hold, and the orders that follow.
//
// They are conditions on all polynomials up to a degree. Here they are checked with Legendre polynomials: at 40 stages
// the first power that is violated is violated by 1e-48 only, the first Legendre polynomial by some hundredths. Symbols
// and formulas: Jay 1996 (003 in the comments), Jay 1998 (004).
#pragma once

#include "coefficients/tableau.hpp"

#include <span>

namespace libration {

// Stands for a condition that holds for all k, as DD of the one stage of Radau IIA does; sums of orders with it do not
// overflow.
inline constexpr std::size_t every_degree = 1'000'000;

// The largest numbers for which the assumptions hold; 0 if not even the first one does.
struct Assumptions {
    std::size_t p, q, r;
};

Assumptions assumptions(const Tableau& tableau);

// C^m C^n(Q) and D^m D^n(R) [004, section 4.2]; 1 if not even the first condition, k = 2, holds. Both tableaux have the
// same c.
struct PairAssumptions {
    std::size_t Q, R;
};

PairAssumptions assumptions(const Tableau& m, const Tableau& n);

// Butcher 1964: the order for ordinary differential equations.
std::size_t classical_order(const Assumptions& a);
// 003, Theorem 2.2: of a method together with its symplectic conjugate, without constraints.
std::size_t dual_pair_order(const Assumptions& a);

// Local orders with constraints. 003 (4.2): k of q, l of p and lambda. 004, Theorem 4.5: mu of y, nu of z and u.
struct ConstrainedOrder {
    std::size_t position, momentum;
};

ConstrainedOrder pair_order(const Assumptions& a, const Assumptions& hat, const PairAssumptions& both);
// The first of `methods` is A^(1); `pairs[n]` are C^1 C^n and D^1 D^n for the other methods. Where the forces are
// linear in u, as constraint forces are, 2Q - 1 and 2Q - 2 are one higher.
ConstrainedOrder spark_order(std::span<const Assumptions> methods, std::span<const PairAssumptions> pairs,
                             bool linear_in_u);

// a_1j = 0, a_sj = b_j, ahat_js = 0, A_0 Ahat_0 invertible: what 003 asks of a pair for constraints (H before Theorem
// 4.1).
bool fits_constraints(const Tableau& a, const Tableau& ahat);

}  // namespace libration
