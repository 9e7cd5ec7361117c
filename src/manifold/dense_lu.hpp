// A general dense matrix as a factored operator: P A = L U with partial pivoting, in place, row-major. For the Newton
// matrices of implicit methods on small systems; symmetric constraint matrices have their own, sparse factorisations.
//
// The choice of a pivot branches on values, so all trajectories of a scalar must agree on it: lanes and traced numbers
// are refused. Dual numbers choose by their value part; the factors then carry exact tangents.
#pragma once

#include <libration/kit/scalar.hpp>
#include <libration/kit/tuned.hpp>

#include <cassert>
#include <cstddef>
#include <span>
#include <utility>

namespace libration {

// Factors the n x n matrix `values`, n = pivots.size(), in place. Returns the smallest pivot relative to the largest
// entry of its column of U, 1 for n = 0: about the round-off where the matrix is singular, 0 where a column vanishes,
// not a number where the matrix is not finite. Compare so that the last fails too: !(factor_dense(...) > bound).
template <class S>
    requires OneTrajectory<S> Real<S> factor_dense(std::span<S> values, std::span<std::size_t> pivots) {
        const std::size_t n = pivots.size();
        assert(values.size() == n * n);
        S* A = values.data();
        const auto size = [&](std::size_t i, std::size_t j) { return absv(real_part(A[i * n + j])); };
        for (std::size_t k = 0; k < n; ++k) {
            std::size_t chosen = k;
            for (std::size_t i = k + 1; i < n; ++i) {
                chosen = less(size(chosen, k), size(i, k)) ? i : chosen;
            }
            pivots[k] = chosen;
            for (std::size_t j = 0; j < n && chosen != k; ++j) {
                std::swap(A[k * n + j], A[chosen * n + j]);
            }
            tuned<S>([&]() LIBRATION_TUNED {
                const S* upper = A + k * n;
                for (std::size_t i = k + 1; i < n; ++i) {
                    S* row = A + i * n;
                    row[k] = row[k] / upper[k];
                    const S factor = -row[k];
                    for (std::size_t j = k + 1; j < n; ++j) {
                        row[j] = mad(factor, upper[j], row[j]);
                    }
                }
            });
        }
        Real<S> smallest = lit<Real<S>>(1);
        for (std::size_t k = 0; k < n; ++k) {
            Real<S> largest = size(k, k);
            for (std::size_t i = 0; i < k; ++i) {
                largest = maxv(largest, size(i, k));
            }
            const Real<S> relative = equal(largest, lit<Real<S>>(0)) ? largest : Real<S>(size(k, k) / largest);
            smallest = minv(smallest, relative) + (relative - relative);
        }
        return smallest;
    }

// x = A^-1 x with the factors and pivots of factor_dense.
template <class S>
    requires OneTrajectory<S>
void solve_dense(std::span<const S> values, std::span<const std::size_t> pivots, std::span<S> x) {
    const std::size_t n = pivots.size();
    assert(values.size() == n * n && x.size() == n);
    for (std::size_t k = 0; k < n; ++k) {
        std::swap(x[k], x[pivots[k]]);
    }
    tuned<S>([&]() LIBRATION_TUNED {
        for (std::size_t i = 0; i < n; ++i) {
            const S* row = values.data() + i * n;
            for (std::size_t j = 0; j < i; ++j) {
                x[i] = mad(S(-row[j]), x[j], x[i]);
            }
        }
        for (std::size_t i = n; i-- > 0;) {
            const S* row = values.data() + i * n;
            for (std::size_t j = i + 1; j < n; ++j) {
                x[i] = mad(S(-row[j]), x[j], x[i]);
            }
            x[i] = x[i] / row[i];
        }
    });
}

}  // namespace libration
