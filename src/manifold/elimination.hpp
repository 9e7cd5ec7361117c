// The structure of the factor L of a sparse symmetric matrix for a given order of elimination: integers only.
#pragma once

#include "ordering.hpp"

#include <optional>

namespace libration {

// Columns in the order of elimination. The places of a column are contiguous: the diagonal, then the entries below it
// in the order of elimination. `row` gives for each place its row in the caller's numbers, so that vectors need no
// permutation.
struct Elimination {
    std::vector<std::uint32_t> start{0};  // columns + 1
    std::vector<std::uint32_t> row;

    [[nodiscard]] std::size_t columns() const { return start.size() - 1; }
    [[nodiscard]] std::size_t places() const { return row.size(); }
    // position[row] = the column of the row
    [[nodiscard]] std::vector<std::uint32_t> positions() const;
    // The updates of a factorisation: c (c + 1) / 2 for a column with c entries below the diagonal.
    [[nodiscard]] std::size_t updates() const;
};

// Finds the structure in time proportional to its size; gives up, empty, as soon as it needs more than `most_updates`.
std::optional<Elimination> eliminate(const ConstraintGraph& graph, std::span<const std::uint32_t> order,
                                     std::size_t most_updates);

// Where the entry (i, j) of the matrix lies; it must exist.
class PlaceFinder {
  public:
    explicit PlaceFinder(const Elimination& elimination)
        : elimination_(&elimination), position_(elimination.positions()) {}
    [[nodiscard]] std::uint32_t operator()(std::uint32_t i, std::uint32_t j) const;
    [[nodiscard]] std::uint32_t position(std::uint32_t row) const { return position_[row]; }

  private:
    const Elimination* elimination_;
    std::vector<std::uint32_t> position_;
};

}  // namespace libration
