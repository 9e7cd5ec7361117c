// Products, solutions and rank of small dense square matrices, row-major.
#pragma once

#include "wide.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace libration {

inline std::vector<Wide> matrix_times(const std::vector<Wide>& matrix, const std::vector<Wide>& x) {
    const std::size_t n = x.size();
    std::vector<Wide> result(n, Wide{0});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            result[i] += matrix[i * n + j] * x[j];
        }
    }
    return result;
}

inline std::vector<Wide> transposed_times(const std::vector<Wide>& matrix, const std::vector<Wide>& x) {
    const std::size_t n = x.size();
    std::vector<Wide> result(n, Wide{0});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            result[j] += matrix[i * n + j] * x[i];
        }
    }
    return result;
}

inline std::vector<Wide> matrix_product(const std::vector<Wide>& a, const std::vector<Wide>& b, std::size_t n) {
    std::vector<Wide> result(n * n, Wide{0});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) {
            for (std::size_t j = 0; j < n; ++j) {
                result[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
    return result;
}

// x becomes the solution; by elimination with partial pivoting. The matrix is used up. Returns its determinant.
inline Wide solve(std::vector<Wide>& matrix, std::vector<Wide>& x) {
    const std::size_t n = x.size();
    Wide determinant = 1;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i) {
            pivot = wide_abs(matrix[i * n + k]) > wide_abs(matrix[pivot * n + k]) ? i : pivot;
        }
        for (std::size_t j = k; j < n; ++j) {
            std::swap(matrix[k * n + j], matrix[pivot * n + j]);
        }
        std::swap(x[k], x[pivot]);
        determinant *= pivot == k ? matrix[k * n + k] : -matrix[k * n + k];
        for (std::size_t i = k + 1; i < n; ++i) {
            const Wide factor = matrix[i * n + k] / matrix[k * n + k];
            for (std::size_t j = k + 1; j < n; ++j) {
                matrix[i * n + j] -= factor * matrix[k * n + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) {
            x[k] -= matrix[k * n + j] * x[j];
        }
        x[k] /= matrix[k * n + k];
    }
    return determinant;
}

// By elimination with full pivoting. A pivot below 1e-20 of the first (Quad) is taken for round-off: matrices here have
// condition numbers below 1e7, so true pivots are far above it.
inline std::size_t rank(std::vector<Wide> matrix, std::size_t n) {
    const Wide least = wide_sqrt(wide_epsilon) * Wide{1e-3};
    Wide first = 0;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t row = k;
        std::size_t column = k;
        for (std::size_t i = k; i < n; ++i) {
            for (std::size_t j = k; j < n; ++j) {
                if (wide_abs(matrix[i * n + j]) > wide_abs(matrix[row * n + column])) {
                    row = i;
                    column = j;
                }
            }
        }
        for (std::size_t j = 0; j < n; ++j) {
            std::swap(matrix[k * n + j], matrix[row * n + j]);
        }
        for (std::size_t i = 0; i < n; ++i) {
            std::swap(matrix[i * n + k], matrix[i * n + column]);
        }
        const Wide pivot = matrix[k * n + k];
        first = k == 0 ? wide_abs(pivot) : first;
        if (wide_abs(pivot) <= least * first) {
            return k;
        }
        for (std::size_t i = k + 1; i < n; ++i) {
            const Wide factor = matrix[i * n + k] / pivot;
            for (std::size_t j = k; j < n; ++j) {
                matrix[i * n + j] -= factor * matrix[k * n + j];
            }
        }
    }
    return n;
}

}  // namespace libration
