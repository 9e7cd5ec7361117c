// How well a tableau satisfies its simplifying assumptions, symplecticity and symmetry: the largest absolute residual.
#pragma once

#include "tableau.hpp"

namespace libration {

// B(p): sum_i b_i c_i^(k-1) = 1/k, k = 1..p.
Wide residual_b(const Tableau& tableau, std::size_t p);
// C(q): sum_j a_ij c_j^(k-1) = c_i^k/k, k = 1..q, all i.
Wide residual_c(const Tableau& tableau, std::size_t q);
// D(r): sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k)/k, k = 1..r, all j.
Wide residual_d(const Tableau& tableau, std::size_t r);
// b_i ahat_ij + b_j a_ji = b_i b_j: the pair (a for q, ahat for p) is symplectic. Equal c and b are part of the
// residual.
Wide symplecticity_residual(const Tableau& a, const Tableau& ahat);
// The same with ahat = a.
Wide symplecticity_residual(const Tableau& tableau);
// a_(s+1-i,s+1-j) + a_ij = b_j: the method is its own adjoint.
Wide symmetry_residual(const Tableau& tableau);

}  // namespace libration
