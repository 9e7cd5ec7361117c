// Products with the sparse Jacobian G. Sums over a row are kept apart by component of the points and joined at the end.
#pragma once

#include <libration/kit/system.hpp>
#include <libration/kit/tuned.hpp>

#include <array>
#include <type_traits>

namespace [[gnu::visibility("default")]] libration {

namespace sparse_detail {

template <std::size_t value>
using Constant = std::integral_constant<std::size_t, value>;

template <std::size_t run, class Body>
LIBRATION_INLINE void for_rows_of_runs(const SparsePattern& pattern, Body body) {
    const std::size_t rows = pattern.rows();
    const auto* start = pattern.row_start.data();
    std::size_t first = start[0];
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t last = start[i + 1];
        if (last - first == 2 * run) {
            body(i, first, Constant<2 * run>{}, Constant<run>{});
        } else {
            body(i, first, last - first, Constant<run>{});
        }
        first = last;
    }
}

// Calls body(i, first entry, length, run) for every row i, where `run` and the most common length, that of two points,
// are compile-time constants: loops over a row unroll, and a run is one vector operation.
template <class Body>
LIBRATION_INLINE void for_rows(const SparsePattern& pattern, Body body) {
    switch (pattern.run) {
        case 2: return for_rows_of_runs<2>(pattern, body);
        case 3: return for_rows_of_runs<3>(pattern, body);
        default: return for_rows_of_runs<1>(pattern, body);
    }
}

// target[c] = mad(a[c], factor, target[c]) over one run; all is read before anything is written, so that it is one
// operation
template <std::size_t run, class S>
LIBRATION_INLINE void add_run(const S* a, const S& factor, S* target) {
    std::array<S, run> sums;
    for (std::size_t c = 0; c < run; ++c) {
        sums[c] = mad(a[c], factor, target[c]);
    }
    for (std::size_t c = 0; c < run; ++c) {
        target[c] = sums[c];
    }
}

template <class S, std::size_t run>
LIBRATION_INLINE S total(const std::array<S, run>& sums) {
    S sum = sums[0];
    for (std::size_t c = 1; c < run; ++c) {
        sum = sum + sums[c];
    }
    return sum;
}

}  // namespace sparse_detail

// rows = G x
template <class S>
void apply_jacobian(const SparsePattern& pattern, std::span<const S> G, std::span<const S> x, std::span<S> rows) {
    tuned<S>([&]() LIBRATION_TUNED {
        const auto* column = pattern.column.data();
        sparse_detail::for_rows(pattern, [&](std::size_t i, std::size_t first, auto length, auto run) LIBRATION_TUNED {
            std::array<S, run> sums;
            for (std::size_t c = 0; c < run; ++c) {
                sums[c] = G[first + c] * x[column[first] + c];
            }
            for (std::size_t e = first + run; e < first + length; e += run) {
                for (std::size_t c = 0; c < run; ++c) {
                    sums[c] = mad(G[e + c], x[column[e] + c], sums[c]);
                }
            }
            rows[i] = sparse_detail::total(sums);
        });
    });
}

// y = y + G^T lambda, row after row
template <class S>
void add_transposed(const SparsePattern& pattern, std::span<const S> G, std::span<const S> lambda, std::span<S> y) {
    tuned<S>([&]() LIBRATION_TUNED {
        const auto* column = pattern.column.data();
        sparse_detail::for_rows(pattern, [&](std::size_t i, std::size_t first, auto length, auto run) LIBRATION_TUNED {
            const S factor = lambda[i];
            for (std::size_t e = first; e < first + length; e += run) {
                sparse_detail::add_run<run>(&G[e], factor, &y[column[e]]);
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
        sparse_detail::for_rows(pattern, [&](std::size_t i, std::size_t first, auto length, auto run) LIBRATION_TUNED {
            const S factor = magnitude(lambda[i]);
            for (std::size_t e = first; e < first + length; e += run) {
                std::array<S, run> sizes;
                for (std::size_t c = 0; c < run; ++c) {
                    sizes[c] = magnitude(G[e + c]);
                }
                sparse_detail::add_run<run>(sizes.data(), factor, &y[column[e]]);
            }
        });
    });
}

}  // namespace libration
