// The inverse of a small dense matrix: Gauss-Jordan elimination in place, with partial pivoting.
#include "tableau.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

std::vector<Wide> inverse(std::vector<Wide> matrix, std::size_t n) {
    if (matrix.size() != n * n) {
        throw InputError(
            fmt::format("a matrix of {0} rows and columns has {1} entries, not {2}", n, n * n, matrix.size()));
    }
    const auto row = [&](std::size_t i) { return matrix.begin() + static_cast<std::ptrdiff_t>(i * n); };
    std::vector<std::size_t> taken(n);  // the row that became pivot row k
    for (std::size_t k = 0; k < n; ++k) {
        taken[k] = k;
        for (std::size_t i = k + 1; i < n; ++i) {
            if (wide_abs(matrix[i * n + k]) > wide_abs(matrix[taken[k] * n + k])) {
                taken[k] = i;
            }
        }
        if (taken[k] != k) {
            std::swap_ranges(row(k), row(k + 1), row(taken[k]));
        }
        const Wide pivot = matrix[k * n + k];
        if (pivot == 0) {
            throw InputError(fmt::format("a singular matrix has no inverse: no pivot in column {}", k + 1));
        }
        matrix[k * n + k] = 1;
        for (std::size_t j = 0; j < n; ++j) {
            matrix[k * n + j] /= pivot;
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k) {
                continue;
            }
            const Wide factor = matrix[i * n + k];
            matrix[i * n + k] = 0;
            for (std::size_t j = 0; j < n; ++j) {
                matrix[i * n + j] -= factor * matrix[k * n + j];
            }
        }
    }
    // Swapped rows of the matrix are swapped columns of its inverse, in reverse.
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t i = 0; i < n; ++i) {
            std::swap(matrix[i * n + k], matrix[i * n + taken[k]]);
        }
    }
    return matrix;
}

}  // namespace libration
