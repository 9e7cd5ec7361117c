// Where the numbers of a supernodal L D L^T live. Columns of L with the same rows below them form a supernode and are
// stored as one dense panel; a supernode hands what it subtracts from later columns to its parent in the elimination
// tree (the multifrontal method) [DuffReid1983, Liu1992].
//
// Tiles: everything dense is stored in strips of four rows, column after column, so that four rows of one column are
// neighbours in memory: the unit of the vector kernel. A lower triangle of n rows holds strip s from column 0 to column
// 4 s + 3; a panel is such a triangle for its own columns, then the strips of the rows below.
#pragma once

#include "ordering.hpp"

#include <span>

namespace libration {

inline constexpr std::size_t tile = 4;
constexpr std::size_t strips(std::size_t rows) { return (rows + tile - 1) / tile; }
// Where strip s of a lower triangle starts; also the size of a triangle of s strips.
constexpr std::size_t triangle_strip(std::size_t s) { return tile * tile * (s * (s + 1) / 2); }

struct Supernode {
    std::uint32_t first = 0;               // its first column
    std::uint32_t columns = 0, below = 0;  // own columns; rows below them
    std::uint32_t child_begin = 0, child_end = 0;
    std::uint32_t stack = 0;  // which of the two stacks holds its update: those of a parent and its child differ
    std::size_t rows = 0;     // where its lists of rows start
    std::size_t panel = 0;    // where its panel starts among the values
    std::size_t update = 0;   // where its update starts in the stack

    [[nodiscard]] std::size_t triangle_size() const { return triangle_strip(strips(columns)); }
    [[nodiscard]] std::size_t panel_size() const { return triangle_size() + tile * strips(below) * columns; }
    [[nodiscard]] std::size_t update_size() const { return triangle_strip(strips(below)); }
};

class SupernodalStructure {
  public:
    SupernodalStructure() = default;
    // order[k] is the row to eliminate k-th; it is refined to one in which the columns of a supernode are neighbours.
    SupernodalStructure(const ConstraintGraph& graph, std::span<const std::uint32_t> order);

    [[nodiscard]] std::size_t rows() const { return order_.size(); }
    // Numbers in the panels, zeros of padding included.
    [[nodiscard]] std::size_t entries() const { return entries_; }
    // Where entry (i, j) of the symmetric matrix stands among the values; it must lie in the pattern of L. Logarithmic
    // cost.
    [[nodiscard]] std::size_t place(std::size_t i, std::size_t j) const;

    [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }
    [[nodiscard]] std::span<const Supernode> supernodes() const { return nodes_; }
    [[nodiscard]] std::span<const std::uint32_t> children(const Supernode& node) const {
        return std::span(children_).subspan(node.child_begin, node.child_end - node.child_begin);
    }
    // The rows below, in the refined order, ascending; and where each stands among the rows of the parent.
    [[nodiscard]] std::span<const std::uint32_t> rows_below(const Supernode& node) const {
        return std::span(rows_).subspan(node.rows, node.below);
    }
    [[nodiscard]] std::span<const std::uint32_t> rows_in_parent(const Supernode& node) const {
        return std::span(in_parent_).subspan(node.rows, node.below);
    }
    // Room that a factorisation needs: two stacks of updates, the largest panel's rows below, its columns, its rows.
    [[nodiscard]] std::size_t stack_size(std::size_t stack) const { return stack_size_[stack]; }
    [[nodiscard]] std::size_t most_below() const { return most_below_; }      // numbers in the strips below, at most
    [[nodiscard]] std::size_t most_columns() const { return most_columns_; }  // columns of a supernode, at most
    [[nodiscard]] std::size_t most_rows() const { return most_rows_; }        // rows below, at most

  private:
    friend class SupernodalAnalysis;

    std::vector<std::uint32_t> order_, position_, node_of_;
    std::vector<Supernode> nodes_;
    std::vector<std::uint32_t> children_, rows_, in_parent_;
    std::size_t entries_ = 0;
    std::size_t stack_size_[2] = {0, 0};
    std::size_t most_below_ = 0, most_columns_ = 0, most_rows_ = 0;
};

}  // namespace libration
