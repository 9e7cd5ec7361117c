// Rows of G that join points with consecutive numbers, as the links of a chain do: loops over them need no list of
// columns.
#pragma once

#include <libration/kit/sparse_product.hpp>

namespace libration {

// Rows first, ..., end - 1, each with two runs: those of row `first` are the columns column, ..., column + 2 run - 1,
// those of each later row `run` columns further on.
struct LinkedRows {
    std::size_t first, end, column;
};

// Those of a pattern whose run is known, in ascending order.
std::vector<LinkedRows> find_linked_rows(const SparsePattern& pattern);

namespace sparse_detail {

template <std::size_t run, class Body>
LIBRATION_INLINE void for_listed_rows(const SparsePattern& pattern, std::size_t begin, std::size_t end, Body& body) {
    const auto* start = pattern.row_start.data();
    std::size_t first = start[begin];
    for (std::size_t i = begin; i < end; ++i) {
        const std::size_t last = start[i + 1];
        const auto column = [list = pattern.column.data() + first](std::size_t k) LIBRATION_TUNED { return list[k]; };
        if (last - first == 2 * run) {
            body(i, first, Constant<2 * run>{}, Constant<run>{}, column);
        } else {
            body(i, first, last - first, Constant<run>{}, column);
        }
        first = last;
    }
}

template <std::size_t run, class Body>
LIBRATION_INLINE void for_linked_runs(const SparsePattern& pattern, std::span<const LinkedRows> parts, Body& body) {
    std::size_t done = 0;
    for (const auto& links : parts) {
        for_listed_rows<run>(pattern, done, links.first, body);
        const std::size_t first = pattern.row_start[links.first];
        done = links.end;
        for (std::size_t l = 0; l < links.end - links.first; ++l) {
            const std::size_t start = links.column + l * run;
            body(links.first + l, first + l * (2 * run), Constant<2 * run>{}, Constant<run>{},
                 [start](std::size_t k) LIBRATION_TUNED { return start + k; });
        }
    }
    for_listed_rows<run>(pattern, done, pattern.rows(), body);
}

// As for_rows(pattern, body), with one argument more: column(k) is that of entry first + k.
template <class Body>
LIBRATION_INLINE void for_rows(const SparsePattern& pattern, std::span<const LinkedRows> parts, Body body) {
    switch (pattern.run) {
        case 2: return for_linked_runs<2>(pattern, parts, body);
        case 3: return for_linked_runs<3>(pattern, parts, body);
        default: return for_linked_runs<1>(pattern, parts, body);
    }
}

}  // namespace sparse_detail

}  // namespace libration
