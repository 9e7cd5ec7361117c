// Runge-Kutta tableaux on Gauss, Radau and Lobatto nodes, computed for any number of stages.
//
// Every entry is good to the last digits of Wide: nodes by Newton's method on Legendre polynomials, weights by closed
// formulas, A by integrating Legendre expansions, which are well-conditioned for any number of stages.
#pragma once

#include "wide.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace libration {

// Stage i is at time c_i; row i of A (row-major, stages x stages) makes stage i, b makes the step.
struct Tableau {
    std::size_t stages;
    std::vector<Wide> c, b, A;

    [[nodiscard]] Wide a(std::size_t row, std::size_t column) const { return A[row * stages + column]; }
};

// The five Lobatto families share c and b. Structure that holds exactly, not just to round-off:
//   all but radau    c_i + c_(s+1-i) = 1 and b_i = b_(s+1-i)
//   lobatto_a        first row 0, last row b
//   lobatto_b        first column b_1, last column 0
//   lobatto_c        first column b_1, last row b
//   lobatto_cstar    first row 0, last column 0
//   radau (IIA)      c_s = 1, last row b
enum class Family { lobatto_a, lobatto_b, lobatto_c, lobatto_cstar, lobatto_d, gauss, radau };

std::string_view name(Family family);

inline constexpr std::size_t max_stages = 40;

// Throws InputError unless stages is in 2..max_stages (Lobatto) or 1..max_stages (Gauss, Radau). Cost: stages^3.
Tableau tableau(Family family, std::size_t stages);

// The partner that makes a symplectic pair, ahat_ij = b_j (1 - a_ji/b_i) [Jay 1996, Theorem 2.2]; c and b are the same.
Tableau symplectic_conjugate(const Tableau& tableau);
// The adjoint method, which goes back: a*_ij = b_(s+1-j) - a_(s+1-i,s+1-j), b*_i = b_(s+1-i), c*_i = 1 - c_(s+1-i).
Tableau symmetric_conjugate(const Tableau& tableau);

// The inverse of a row-major n x n matrix, by elimination with partial pivoting. Throws InputError if the size is wrong
// or a pivot vanishes.
std::vector<Wide> inverse(std::vector<Wide> matrix, std::size_t n);

}  // namespace libration
