// The graph of A = G M^-1 G^T.
#include "ordering.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace libration {

namespace {

// 8 GB of neighbours; the factor of that many couplings would not fit either.
constexpr std::size_t most_couplings = 2'000'000'000;

[[noreturn]] void refuse(std::size_t rows, std::size_t couplings, std::size_t busiest) {
    throw InputError(
        fmt::format("the {} constraints couple too densely: more than {} pairs share a coordinate (the limit "
                    "is {}), and one coordinate occurs in {} constraints; let fewer constraints share one "
                    "point",
                    rows, couplings / 2, most_couplings / 2, busiest));
}

std::size_t most_uses(const CoordinateUses& uses) {
    std::size_t most = 0;
    for (std::size_t c = 0; c + 1 < uses.start.size(); ++c) {
        most = std::max<std::size_t>(most, uses.start[c + 1] - uses.start[c]);
    }
    return most;
}

std::vector<std::uint8_t> joined_coordinates(const SparsePattern& pattern, std::size_t dimension) {
    std::vector<std::uint8_t> joined(dimension, 1);
    if (dimension > 0) {
        joined[0] = 0;
    }
    for (std::size_t i = 0; i < pattern.rows(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            const std::size_t c = pattern.column[e];
            if (e == pattern.row_start[i] || pattern.column[e - 1] + 1 != c) {
                joined[c] = 0;
            }
            if (c + 1 < dimension && (e + 1 == pattern.row_start[i + 1] || pattern.column[e + 1] != c + 1)) {
                joined[c + 1] = 0;
            }
        }
    }
    return joined;
}

// Calls found(j) once for every row j that shares a coordinate with row i.
template <class Found>
void for_each_neighbour(const SparsePattern& pattern, const CoordinateUses& uses, std::vector<std::uint32_t>& seen_by,
                        std::uint32_t i, Found&& found) {
    seen_by[i] = i;
    for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
        const auto c = pattern.column[e];
        for (auto u = uses.start[c]; u < uses.start[c + 1]; ++u) {
            const auto j = uses.row[u];
            if (seen_by[j] != i) {
                seen_by[j] = i;
                found(j);
            }
        }
    }
}

}  // namespace

CoordinateUses coordinate_uses(const SparsePattern& pattern, std::size_t dimension) {
    // A quarter of the numbers of 32 bits: what is derived from the entries needs numbers, too.
    constexpr std::size_t most_entries = std::numeric_limits<std::uint32_t>::max() / 4;
    if (pattern.entries() > most_entries) {
        throw InputError(fmt::format("the Jacobian of the constraints has {} entries; at most {} can be indexed",
                                     pattern.entries(), most_entries));
    }
    CoordinateUses uses;
    uses.joined = joined_coordinates(pattern, dimension);
    uses.start.assign(dimension + 1, 0);
    std::size_t entries = 0;
    for (const auto c : pattern.column) {
        if (uses.joined[c] == 0) {
            ++uses.start[c + 1];
            ++entries;
        }
    }
    for (std::size_t c = 0; c < dimension; ++c) {
        uses.start[c + 1] += uses.start[c];
    }
    uses.row.resize(entries);
    uses.entry.resize(entries);
    auto next = uses.start;
    for (std::uint32_t i = 0; i < pattern.rows(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            if (uses.joined[pattern.column[e]] == 0) {
                const auto place = next[pattern.column[e]]++;
                uses.row[place] = i;
                uses.entry[place] = static_cast<std::uint32_t>(e);
            }
        }
    }
    return uses;
}

ConstraintGraph constraint_graph(const SparsePattern& pattern, std::size_t dimension) {
    const auto uses = coordinate_uses(pattern, dimension);
    const std::size_t rows = pattern.rows(), busiest = most_uses(uses);
    if (busiest > 1 && busiest * (busiest - 1) > most_couplings) {
        refuse(rows, busiest * (busiest - 1), busiest);
    }
    ConstraintGraph graph;
    graph.start.assign(rows + 1, 0);
    std::vector<std::uint32_t> seen_by(rows, std::numeric_limits<std::uint32_t>::max());
    std::size_t couplings = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
        for_each_neighbour(pattern, uses, seen_by, i, [&](std::uint32_t) { ++couplings; });
        graph.start[i + 1] = couplings;
        if (couplings > most_couplings) {
            refuse(rows, couplings, busiest);
        }
    }
    graph.neighbour.resize(couplings);
    std::fill(seen_by.begin(), seen_by.end(), std::numeric_limits<std::uint32_t>::max());
    auto* next = graph.neighbour.data();
    for (std::uint32_t i = 0; i < rows; ++i) {
        auto* const first = next;
        for_each_neighbour(pattern, uses, seen_by, i, [&](std::uint32_t j) { *next++ = j; });
        if (!std::is_sorted(first, next)) {
            std::sort(first, next);
        }
    }
    return graph;
}

ConstraintGraph full_graph(std::size_t rows) {
    if (rows > 1 && rows * (rows - 1) > most_couplings) {
        refuse(rows, rows * (rows - 1), rows);
    }
    ConstraintGraph graph;
    for (std::uint32_t i = 0; i < rows; ++i) {
        for (std::uint32_t j = 0; j < rows; ++j) {
            if (j != i) {
                graph.neighbour.push_back(j);
            }
        }
        graph.start.push_back(graph.neighbour.size());
    }
    return graph;
}

}  // namespace libration
