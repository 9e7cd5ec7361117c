// The elimination tree of a symmetric matrix in a given order: parent of column j is the first row below the diagonal
// of column j of L [Liu1990].
#pragma once

#include "ordering.hpp"

#include <limits>
#include <span>

namespace libration::supernodal {

inline constexpr std::uint32_t no_column = std::numeric_limits<std::uint32_t>::max();

struct EliminationTree {
    // `order` is refined to a postorder: every subtree is a run of columns that ends with its root.
    std::vector<std::uint32_t> order, position;  // order[k] = row, position[row] = k
    std::vector<std::uint32_t> parent;           // no_column for a root
    std::vector<std::uint32_t> count;            // rows of column j of L, diagonal included
};

// Cost almost linear in the edges of the graph.
EliminationTree elimination_tree(const ConstraintGraph& graph, std::span<const std::uint32_t> order);

// Children before parents, siblings in the order of their numbers. parent[j] may be anything but a descendant of j.
std::vector<std::uint32_t> postorder(std::span<const std::uint32_t> parent);

}  // namespace libration::supernodal
