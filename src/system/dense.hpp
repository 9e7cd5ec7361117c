// Small dense systems of equations, row-major, on memory of the caller.
#pragma once

#include <libration/kit/scalar.hpp>

#include <cstddef>
#include <span>

namespace libration {

// A = L D L^T in place: L below the diagonal, D on it; what lies above is not read. Without pivoting, for matrices that
// are positive definite.
template <class S>
void factor_ldl(std::size_t n, std::span<S> a) {
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = j + 1; i < n; ++i) {
            const S multiplier = a[i * n + j] / a[j * n + j];
            for (std::size_t k = j + 1; k <= i; ++k) {
                a[i * n + k] = mad(-multiplier, a[k * n + j], a[i * n + k]);
            }
        }
        for (std::size_t i = j + 1; i < n; ++i) {
            a[i * n + j] = a[i * n + j] / a[j * n + j];
        }
    }
}

// x becomes A^-1 x.
template <class S>
void solve_ldl(std::size_t n, std::span<const S> factor, std::span<S> x) {
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            x[i] = mad(-factor[i * n + j], x[j], x[i]);
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        x[i] = x[i] / factor[i * n + i];
        for (std::size_t j = i + 1; j < n; ++j) {
            x[i] = mad(-factor[j * n + i], x[j], x[i]);
        }
    }
}

// x becomes A^-1 x and A is used up. Rows are exchanged, without a branch: column after column, each row below changes
// places with the current one if its entry is larger.
template <class S>
void solve_general(std::size_t n, std::span<S> a, std::span<S> x) {
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = j + 1; i < n; ++i) {
            const auto larger = less(absv(real_part(a[j * n + j])), absv(real_part(a[i * n + j])));
            const auto exchange = [&](S& above, S& below) {
                const S kept = above;
                above = select(larger, below, kept);
                below = select(larger, kept, below);
            };
            for (std::size_t k = j; k < n; ++k) {
                exchange(a[j * n + k], a[i * n + k]);
            }
            exchange(x[j], x[i]);
        }
        for (std::size_t i = j + 1; i < n; ++i) {
            const S multiplier = a[i * n + j] / a[j * n + j];
            for (std::size_t k = j + 1; k < n; ++k) {
                a[i * n + k] = mad(-multiplier, a[j * n + k], a[i * n + k]);
            }
            x[i] = mad(-multiplier, x[j], x[i]);
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) {
            x[i] = mad(-a[i * n + j], x[j], x[i]);
        }
        x[i] = x[i] / a[i * n + i];
    }
}

}  // namespace libration
