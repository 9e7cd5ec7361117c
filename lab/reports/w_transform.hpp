// The W-transformation of Hairer and Wanner: a tableau seen in Legendre polynomials instead of stages.
//
//   w_ij = P_(j-1)(c_i), the orthonormal shifted Legendre polynomials;  X = W^T B A W  [Jay 1998, section 8]
//   W^T B W = diag(1, ..., 1, sigma): sigma = (2s-1)/(s-1) on Lobatto nodes, 1 on Gauss and Radau nodes, where X = W^-1
//   A W.
#pragma once

#include "coefficients/tableau.hpp"

namespace libration {

struct WTransform {
    std::size_t stages;
    std::vector<Wide> X;  // row-major
    Wide sigma;

    [[nodiscard]] Wide x(std::size_t row, std::size_t column) const { return X[row * stages + column]; }
    // Entry of W^-1 A W, which is similar to A: the last row of X over sigma.
    [[nodiscard]] Wide similar(std::size_t row, std::size_t column) const {
        return row + 1 == stages ? x(row, column) / sigma : x(row, column);
    }
    // The largest entry beyond the three diagonals; round-off for all families here.
    [[nodiscard]] Wide beyond_diagonals() const;
};

WTransform w_transform(const Tableau& tableau);

// The least and the greatest eigenvalue of X + X^T - e1 e1^T = W^T (B A + A^T B - b b^T) W, which has the signs of the
// matrix (m_ij) of algebraic stability [Jay 1998, Definition 6.6].
struct EigenvalueRange {
    Wide least, greatest;
};

EigenvalueRange algebraic_stability_eigenvalues(const WTransform& transform);

}  // namespace libration
