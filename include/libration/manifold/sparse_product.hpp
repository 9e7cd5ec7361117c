// Products with the sparse Jacobian G.
#pragma once

#include <libration/system/system.hpp>

namespace libration {

// rows = G x
template <class S>
void apply_jacobian(const SparsePattern& pattern, std::span<const S> G, std::span<const S> x, std::span<S> rows) {
    for (std::size_t i = 0; i < pattern.rows(); ++i) {
        std::size_t e = pattern.row_start[i];
        S sum = G[e] * x[pattern.column[e]];
        for (++e; e < pattern.row_start[i + 1]; ++e) {
            sum = mad(G[e], x[pattern.column[e]], sum);
        }
        rows[i] = sum;
    }
}

// y = y + G^T lambda, row after row
template <class S>
void add_transposed(const SparsePattern& pattern, std::span<const S> G, std::span<const S> lambda, std::span<S> y) {
    for (std::size_t i = 0; i < pattern.rows(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            auto& target = y[pattern.column[e]];
            target = mad(G[e], lambda[i], target);
        }
    }
}

// y = y + |G|^T |lambda|: how large the terms of G^T lambda are, even where they cancel
template <class S>
void add_transposed_sizes(const SparsePattern& pattern, std::span<const S> G, std::span<const S> lambda,
                          std::span<S> y) {
    for (std::size_t i = 0; i < pattern.rows(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            auto& target = y[pattern.column[e]];
            target = mad(magnitude(G[e]), magnitude(lambda[i]), target);
        }
    }
}

}  // namespace libration
