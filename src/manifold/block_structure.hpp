// The structure of a sparse matrix made of dense blocks, and of its factors: which blocks there are, in which order the
// unknowns are eliminated, and which dense matrices (fronts) that takes. Nodes are groups of unknowns; two nodes that
// are coupled have a block in each triangle, whatever the numbers in them.
#pragma once

#include "supernodal_structure.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace libration {

class BlockStructure {
  public:
    using Coupling = std::pair<std::uint32_t, std::uint32_t>;

    BlockStructure() = default;
    // `sizes`: unknowns of each node. Couplings of two different nodes in either order, once or more often. The
    // diagonal block of a node from `first_late` on may be zero: it is eliminated after all nodes before `first_late`
    // that it is coupled with, which fill it.
    BlockStructure(std::vector<std::uint32_t> sizes, std::vector<Coupling> couplings, std::uint32_t first_late);

    [[nodiscard]] std::size_t nodes() const { return sizes_.size(); }
    [[nodiscard]] std::size_t unknowns() const { return unknowns_; }
    [[nodiscard]] std::uint32_t size(std::size_t node) const { return sizes_[node]; }
    // The number of the first unknown of a node; they are numbered node by node.
    [[nodiscard]] std::uint32_t offset(std::size_t node) const { return offsets_[node]; }

    // Numbers in all blocks, and where those of block (row, column) start, row by row; the block must exist.
    [[nodiscard]] std::size_t entries() const { return entries_; }
    [[nodiscard]] std::size_t place(std::uint32_t row, std::uint32_t column) const;
    // The nodes in whose columns the block row of a node has blocks, ascending; their blocks follow each other from
    // first_entry(row) on.
    [[nodiscard]] std::span<const std::uint32_t> columns(std::size_t row) const {
        return std::span(columns_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
    }
    [[nodiscard]] std::size_t first_entry(std::size_t row) const { return first_entries_[row]; }
    struct Block {
        std::uint32_t row, column;
        std::size_t place;
    };

    // One dense matrix of the elimination: own unknowns, which are eliminated in it, then those of later fronts.
    struct Front {
        std::uint32_t own = 0, later = 0;  // unknowns
        std::uint32_t nodes = 0;           // those of own unknowns come first
        std::size_t first_node = 0;        // where its list of nodes starts
        std::size_t block_begin = 0, block_end = 0;
        std::size_t first_place = 0;  // of the places of its update in the parent, one a later unknown
        std::size_t panel = 0;        // where its factors start
        std::size_t update = 0;       // where on a stack it leaves its update, above those that are still needed
        std::uint32_t child_begin = 0, child_end = 0;

        [[nodiscard]] std::size_t order() const { return std::size_t{own} + later; }
        [[nodiscard]] std::size_t panel_size() const { return own * (own + 2 * std::size_t{later}); }
    };
    [[nodiscard]] std::span<const Front> fronts() const { return fronts_; }
    [[nodiscard]] std::span<const std::uint32_t> children(const Front& front) const {
        return std::span(children_).subspan(front.child_begin, front.child_end - front.child_begin);
    }
    [[nodiscard]] std::span<const std::uint32_t> nodes_of(const Front& front) const {
        return std::span(node_list_).subspan(front.first_node, front.nodes);
    }
    // The blocks of the matrix that enter the elimination in a front: those in its own rows and columns.
    [[nodiscard]] std::span<const Block> blocks_of(const Front& front) const {
        return std::span(blocks_).subspan(front.block_begin, front.block_end - front.block_begin);
    }
    [[nodiscard]] std::span<const std::uint32_t> places_in_parent(const Front& front) const {
        return std::span(places_).subspan(front.first_place, front.later);
    }
    // Numbers in all factors, and on the stack of updates at most; unknowns of the largest front.
    [[nodiscard]] std::size_t factor_entries() const { return factor_entries_; }
    [[nodiscard]] std::size_t stack_entries() const { return stack_entries_; }
    [[nodiscard]] std::size_t largest_front() const { return largest_front_; }
    // Multiplications of a factorization, about.
    [[nodiscard]] double work() const { return work_; }

  private:
    void list_blocks(std::vector<Coupling> couplings);
    [[nodiscard]] std::vector<std::uint32_t> order(std::uint32_t first_late) const;
    [[nodiscard]] ConstraintGraph graph() const;
    void make_fronts(const SupernodalStructure& nodes);
    void place_updates(const SupernodalStructure& nodes);
    void distribute_blocks();

    std::vector<std::uint32_t> sizes_, offsets_;
    std::size_t unknowns_ = 0, entries_ = 0, factor_entries_ = 0, stack_entries_ = 0, largest_front_ = 0;
    double work_ = 0;
    std::vector<std::size_t> starts_, first_entries_;
    std::vector<std::uint32_t> columns_, children_, node_list_, places_;
    std::vector<Front> fronts_;
    std::vector<std::uint32_t> front_of_;  // in which a node is eliminated
    std::vector<Block> blocks_;
};

}  // namespace libration
