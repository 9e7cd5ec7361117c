// Products with the sparse Jacobian G.
#pragma once

#include <libration/scalar/tuned.hpp>
#include <libration/system/system.hpp>

namespace libration {

namespace sparse_detail {

// Calls body(i, first, last) for every row i, whose entries are first ... last - 1.
template <class Body>
LIBRATION_INLINE void for_rows(const SparsePattern& pattern, Body body) {
    const std::size_t rows = pattern.rows();
    const auto* start = pattern.row_start.data();
    std::size_t first = start[0];
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t last = start[i + 1];
        body(i, first, last);
        first = last;
    }
}

}  // namespace sparse_detail

// rows = G x
template <class S>
void apply_jacobian(const SparsePattern& pattern, std::span<const S> G, std::span<const S> x, std::span<S> rows) {
    tuned<S>([&]() LIBRATION_TUNED {
        const auto* column = pattern.column.data();
        sparse_detail::for_rows(pattern, [&](std::size_t i, std::size_t e, std::size_t last) LIBRATION_TUNED {
            S sum = G[e] * x[column[e]];
            for (++e; e < last; ++e) {
                sum = mad(G[e], x[column[e]], sum);
            }
            rows[i] = sum;
        });
    });
}

// y = y + G^T lambda, row after row
template <class S>
void add_transposed(const SparsePattern& pattern, std::span<const S> G, std::span<const S> lambda, std::span<S> y) {
    tuned<S>([&]() LIBRATION_TUNED {
        const auto* column = pattern.column.data();
        sparse_detail::for_rows(pattern, [&](std::size_t i, std::size_t e, std::size_t last) LIBRATION_TUNED {
            const S factor = lambda[i];
            for (; e < last; ++e) {
                y[column[e]] = mad(G[e], factor, y[column[e]]);
            }
        });
    });
}

// y = y + |G|^T |lambda|: how large the terms of G^T lambda are, even where they cancel
template <class S>
void add_transposed_sizes(const SparsePattern& pattern, std::span<const S> G, std::span<const S> lambda,
                          std::span<S> y) {
    tuned<S>([&]() LIBRATION_TUNED {
        const auto* column = pattern.column.data();
        sparse_detail::for_rows(pattern, [&](std::size_t i, std::size_t e, std::size_t last) LIBRATION_TUNED {
            const S factor = magnitude(lambda[i]);
            for (; e < last; ++e) {
                y[column[e]] = mad(magnitude(G[e]), factor, y[column[e]]);
            }
        });
    });
}

}  // namespace libration
