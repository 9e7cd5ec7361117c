// Products with the sparse Jacobian G.
#pragma once

#include <libration/scalar/tuned.hpp>
#include <libration/system/system.hpp>

#include <type_traits>

namespace libration {

namespace sparse_detail {

// Calls body(i, first, length) for every row i. Common lengths (rods, angles) come as compile-time constants, so that the
// loop over the row is unrolled.
template <class Body>
LIBRATION_INLINE void for_rows(const SparsePattern& pattern, Body body) {
    const std::size_t rows = pattern.rows();
    const auto* start = pattern.row_start.data();
    std::size_t first = start[0];
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t last = start[i + 1];
        switch (last - first) {
            case 4: body(i, first, std::integral_constant<std::size_t, 4>{}); break;
            case 6: body(i, first, std::integral_constant<std::size_t, 6>{}); break;
            default: body(i, first, last - first);
        }
        first = last;
    }
}

}  // namespace sparse_detail

// rows = G x
template <class S>
void apply_jacobian(const SparsePattern& pattern, std::span<const S> G, std::span<const S> x, std::span<S> rows) {
    tuned<S>([&]() LIBRATION_TUNED {
        const auto* column = pattern.column.data();
        sparse_detail::for_rows(pattern, [&](std::size_t i, std::size_t first, auto length) LIBRATION_TUNED {
            S sum = G[first] * x[column[first]];
            for (std::size_t e = first + 1; e < first + length; ++e) {
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
        sparse_detail::for_rows(pattern, [&](std::size_t i, std::size_t first, auto length) LIBRATION_TUNED {
            const S factor = lambda[i];
            for (std::size_t e = first; e < first + length; ++e) {
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
        sparse_detail::for_rows(pattern, [&](std::size_t i, std::size_t first, auto length) LIBRATION_TUNED {
            const S factor = magnitude(lambda[i]);
            for (std::size_t e = first; e < first + length; ++e) {
                y[column[e]] = mad(magnitude(G[e]), factor, y[column[e]]);
            }
        });
    });
}

}  // namespace libration
