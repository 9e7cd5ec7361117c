// A symmetric positive definite tridiagonal matrix, factored from both ends towards the middle (twisted LDL^T), which
// makes two independent chains of operations out of one. [Parlett and Dhillon, Fernando's solution to Wilkinson's
// problem, 1997]
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bench {

// The arrays belong to the caller; there are zeros before and behind them.
struct TwistedTridiagonal {
    std::size_t rows = 0;
    double* inverse_pivot = nullptr;  // before factor(): the diagonal
    double* link = nullptr;  // before factor(): A_i,i-1; then A_i+1,i/D_i above the middle, A_i,i-1/D_i below it

    // Pivots are quotients of leading minors, which need no division in their recurrence: m_i = A_ii m_i-1 - A_i,i-1^2
    // m_i-2. Each rounding is one of an entry of A, as in the usual recurrence. The pivots of a chain lie between 1 and
    // 2, so that a block of minors stays in range, and each block starts anew from 1.
    void factor() const {
        constexpr std::size_t block = 128;
        double top[block + 1], bottom[block + 1];
        double top_inverse = 0;     // of the pivot before
        double bottom_inverse = 0;  // of the pivot behind
        double bottom_beside = 0;   // A_i+1,i at the upper end of the bottom block
        auto i = std::ptrdiff_t{0};
        auto j = static_cast<std::ptrdiff_t>(rows) - 1;
        const auto middle = static_cast<std::ptrdiff_t>(rows / 2);
        while (i < middle) {
            const auto count = std::min<std::ptrdiff_t>(block, middle - i);
            const auto count_below = std::min<std::ptrdiff_t>(block, j - middle);
            const auto both = std::min(count, count_below);
            top[0] = bottom[0] = 1;
            double before = top_inverse, behind = bottom_inverse, beside = bottom_beside;
            for (std::ptrdiff_t k = 0; k < both; ++k) {
                top[k + 1] = std::fma(inverse_pivot[i + k], top[k], -(link[i + k] * link[i + k] * before));
                bottom[k + 1] = std::fma(inverse_pivot[j - k], bottom[k], -(beside * beside * behind));
                before = top[k];
                behind = bottom[k];
                beside = link[j - k];
            }
            for (std::ptrdiff_t k = both; k < count; ++k) {
                top[k + 1] = std::fma(inverse_pivot[i + k], top[k], -(link[i + k] * link[i + k] * before));
                before = top[k];
            }
            for (std::ptrdiff_t k = 0; k < count; ++k) {
                const double inverse = top[k] / top[k + 1];
                inverse_pivot[i + k] = inverse;
                link[i + k] = link[i + k + 1] * inverse;
            }
            for (std::ptrdiff_t k = 0; k < both; ++k) {
                const double inverse = bottom[k] / bottom[k + 1];
                inverse_pivot[j - k] = inverse;
                link[j - k] *= inverse;
            }
            bottom_beside = beside;
            top_inverse = inverse_pivot[i + count - 1];
            bottom_inverse = both > 0 ? inverse_pivot[j - both + 1] : bottom_inverse;
            i += count;
            j -= both;
        }
        // The twist: both neighbours are eliminated; link[middle] is still A_middle,middle-1.
        inverse_pivot[middle] = 1 / (inverse_pivot[middle] - link[middle] * link[middle] * top_inverse -
                                     bottom_beside * bottom_beside * bottom_inverse);
    }

    // right = L^-1 right, from both ends.
    void solve_forward(double* right) const {
        double top = 0, bottom = 0;
        std::ptrdiff_t i = 0;
        auto j = static_cast<std::ptrdiff_t>(rows) - 1;
        const auto middle = static_cast<std::ptrdiff_t>(rows / 2);
        for (; i < middle && j > middle; ++i, --j) {
            top = std::fma(-link[i - 1], top, right[i]);
            bottom = std::fma(-link[j + 1], bottom, right[j]);
            right[i] = top;
            right[j] = bottom;
        }
        for (; i < middle; ++i) {
            top = std::fma(-link[i - 1], top, right[i]);
            right[i] = top;
        }
        right[middle] -= link[middle - 1] * top + link[middle + 1] * bottom;
    }

    // Gives x = L^-T D^-1 right, from the middle, entry by entry to `take(i, x_i)`.
    template <class Take>
    void solve_backward(const double* right, Take&& take) const {
        const auto middle = static_cast<std::ptrdiff_t>(rows / 2);
        const auto n = static_cast<std::ptrdiff_t>(rows);
        double top = right[middle] * inverse_pivot[middle];
        double bottom = top;
        take(middle, top);
        std::ptrdiff_t i = middle - 1;
        std::ptrdiff_t j = middle + 1;
        for (; i >= 0 && j < n; --i, ++j) {
            top = std::fma(-link[i], top, right[i] * inverse_pivot[i]);
            bottom = std::fma(-link[j], bottom, right[j] * inverse_pivot[j]);
            take(i, top);
            take(j, bottom);
        }
        for (; i >= 0; --i) {
            top = std::fma(-link[i], top, right[i] * inverse_pivot[i]);
            take(i, top);
        }
    }
};

}  // namespace bench
