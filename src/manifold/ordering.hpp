// Which constraints couple in A = G M^-1 G^T, and in which order they are best eliminated.
#pragma once

#include <libration/kit/system.hpp>

#include <numeric>

namespace libration {

// For every coordinate the rows of G that contain it, ascending, with the number of the entry. A coordinate that
// follows its predecessor in all rows, as y follows x of a point, is joined to it and lists nothing: one list stands
// for both.
struct CoordinateUses {
    std::vector<std::uint32_t> start;  // dimension + 1
    std::vector<std::uint32_t> row, entry;
    std::vector<std::uint8_t> joined;  // dimension
};
CoordinateUses coordinate_uses(const SparsePattern& pattern, std::size_t dimension);

// The places of A off the diagonal: for every row the other rows, ascending.
struct ConstraintGraph {
    std::vector<std::size_t> start{0};  // rows + 1
    std::vector<std::uint32_t> neighbour;
    [[nodiscard]] std::size_t rows() const { return start.size() - 1; }
};

// With a diagonal mass matrix two rows couple if they share a coordinate. Throws InputError where the couplings are too
// many to be stored: r rows on one coordinate make r (r - 1) of them.
ConstraintGraph constraint_graph(const SparsePattern& pattern, std::size_t dimension);
// With a full mass matrix every row couples with every other.
ConstraintGraph full_graph(std::size_t rows);

// order[k] = the row that is eliminated k-th, by approximate minimum degree. No fill where none is needed by chains and
// trees, whatever their numbering. Ties are first come, first served, so that a chain is eaten from both ends in turn
// and a tree from all its leaves: neighbouring columns of the factor are independent, and the processor works on both
// at once.
std::vector<std::uint32_t> fill_reducing_order(const SparsePattern& pattern, std::size_t dimension);

struct OrderedGraph {
    ConstraintGraph graph;
    std::vector<std::uint32_t> order;
};

// Couplings and order of a system's constraints; where all couple, the order is that of the rows.
template <class S>
OrderedGraph ordered_graph(const System<S>& system) {
    const auto& pattern = system.pattern();
    if (!system.inverse_masses().empty()) {
        return {constraint_graph(pattern, system.dimension()), fill_reducing_order(pattern, system.dimension())};
    }
    std::vector<std::uint32_t> order(pattern.rows());
    std::iota(order.begin(), order.end(), 0U);
    return {full_graph(pattern.rows()), std::move(order)};
}

}  // namespace libration
