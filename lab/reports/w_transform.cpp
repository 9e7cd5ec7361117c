// W-transformation, and the definiteness that it makes easy to see.
#include "coefficients/legendre.hpp"

#include "w_transform.hpp"

#include <algorithm>

namespace libration {

namespace {

// One plane rotation of Jacobi's method, which makes the entry (p, q) zero.
void rotate(std::vector<Wide>& matrix, std::size_t n, std::size_t p, std::size_t q) {
    const Wide off = matrix[p * n + q];
    if (off == 0) {
        return;
    }
    const Wide theta = (matrix[q * n + q] - matrix[p * n + p]) / (2 * off);
    const Wide t = (theta < 0 ? -1 : 1) / (wide_abs(theta) + wide_sqrt(theta * theta + 1));
    const Wide cosine = 1 / wide_sqrt(t * t + 1);
    const Wide sine = t * cosine;
    for (std::size_t k = 0; k < n; ++k) {
        const Wide left = matrix[k * n + p];
        const Wide right = matrix[k * n + q];
        matrix[k * n + p] = cosine * left - sine * right;
        matrix[k * n + q] = sine * left + cosine * right;
    }
    for (std::size_t k = 0; k < n; ++k) {
        const Wide above = matrix[p * n + k];
        const Wide below = matrix[q * n + k];
        matrix[p * n + k] = cosine * above - sine * below;
        matrix[q * n + k] = sine * above + cosine * below;
    }
}

}  // namespace

Wide WTransform::beyond_diagonals() const {
    Wide worst = 0;
    for (std::size_t i = 0; i < stages; ++i) {
        for (std::size_t j = 0; j < stages; ++j) {
            if (i > j + 1 || j > i + 1) {
                worst = std::max(worst, wide_abs(x(i, j)));
            }
        }
    }
    return worst;
}

WTransform w_transform(const Tableau& tableau) {
    const std::size_t s = tableau.stages;
    std::vector<std::vector<Wide>> w;  // w[i][k] = sqrt(2k+1) P_k(2 c_i - 1)
    for (const Wide c : tableau.c) {
        w.push_back(legendre(s - 1, 2 * c - 1));
        for (std::size_t k = 0; k < s; ++k) {
            w.back()[k] *= wide_sqrt(static_cast<Wide>(2 * k + 1));
        }
    }
    WTransform result{s, std::vector<Wide>(s * s, Wide{0}), Wide{0}};
    for (std::size_t i = 0; i < s; ++i) {
        result.sigma += tableau.b[i] * w[i][s - 1] * w[i][s - 1];
        for (std::size_t column = 0; column < s; ++column) {
            Wide product = 0;  // of A W
            for (std::size_t j = 0; j < s; ++j) {
                product += tableau.a(i, j) * w[j][column];
            }
            for (std::size_t row = 0; row < s; ++row) {
                result.X[row * s + column] += w[i][row] * tableau.b[i] * product;
            }
        }
    }
    return result;
}

EigenvalueRange algebraic_stability_eigenvalues(const WTransform& transform) {
    const std::size_t n = transform.stages;
    std::vector<Wide> matrix(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            matrix[i * n + j] = transform.x(i, j) + transform.x(j, i) - (i + j == 0 ? 1 : 0);
        }
    }
    for (int sweep = 0; sweep < 12; ++sweep) {  // quadratic convergence: six are enough for 113 bits
        for (std::size_t p = 0; p < n; ++p) {
            for (std::size_t q = p + 1; q < n; ++q) {
                rotate(matrix, n, p, q);
            }
        }
    }
    EigenvalueRange result{matrix[0], matrix[0]};
    for (std::size_t i = 0; i < n; ++i) {
        result.least = std::min(result.least, matrix[i * n + i]);
        result.greatest = std::max(result.greatest, matrix[i * n + i]);
    }
    return result;
}

}  // namespace libration
