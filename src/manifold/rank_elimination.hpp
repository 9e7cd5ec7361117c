// Elimination that sets dependent rows aside and keeps of which other rows they consist.
#pragma once

#include "elimination.hpp"
#include <libration/kit/system.hpp>

namespace libration {

// A sparse vector over the rows, ascending, in units of the lengths of the rows.
struct RowShare {
    std::size_t row;
    double value;
};
using NullVector = std::vector<RowShare>;

// L D L^T column after column, each from those before it: slower than a factorisation with places known beforehand, but
// in no need of them, so that it serves any fill. A dependent row leaves a column of zeros.
//
// A pivot of A = G M^-1 G^T is the squared distance of a row to the rows before it, and rounding spoils it by eps S^2
// where S is the size of the combination of rows next to it: the condition of G is squared. So small pivots are not
// believed. The combination c itself is formed, and G^T c computed from G, where rounding amounts to eps S only.
class RankElimination {
  public:
    // Null vectors are kept for the first `most_sets` dependent rows. Rows with a squared sine below `close` count as
    // such.
    RankElimination(System<double>& system, double t, std::span<const double> q, std::size_t most_sets, double close);

    // The rows that were set aside, in the order of elimination.
    [[nodiscard]] const std::vector<std::size_t>& aside() const { return aside_; }
    // c with G^T c = 0 for the first of them.
    // G_i M^-1 G_i^T
    [[nodiscard]] const std::vector<double>& diagonal() const { return diagonal_; }
    [[nodiscard]] const std::vector<NullVector>& null_vectors() const { return null_vectors_; }

  private:
    // Where an entry L_kj of a row k lies.
    struct RowEntry {
        std::uint32_t column, place;
    };

    void factor();
    void update_column(std::uint32_t k);
    void list(std::uint32_t j);
    // Whether the row of column k is independent of those before it; sets its pivot and its part of L right.
    bool judge(std::uint32_t k);
    void combine(std::uint32_t k);
    void measure();
    void add_residual_of(std::size_t row);
    void clear_residual();
    void correct(std::uint32_t k);
    void add_correction(std::uint32_t k, double sign);
    void take_residual_as_column(std::uint32_t k);
    void clear();
    [[nodiscard]] double product_with_residual(std::size_t row) const;
    [[nodiscard]] NullVector null_vector() const;
    [[nodiscard]] std::uint32_t row(std::uint32_t column) const { return structure_.row[structure_.start[column]]; }

    System<double>& system_;
    double t_;
    std::span<const double> q_;
    std::size_t most_sets_;
    double close_;
    Elimination structure_;
    std::vector<std::uint32_t> position_;
    std::vector<double> G_, L_, diagonal_, pivots_, update_;
    // next_place_[j] is the first entry of column j that is not used yet; columns whose entry stands in row k are
    // listed.
    std::vector<std::uint32_t> next_place_, first_, next_;
    std::vector<std::size_t> row_start_{0};
    std::vector<RowEntry> row_entries_;
    std::vector<std::size_t> aside_;
    std::vector<NullVector> null_vectors_;

    // One combination at a time: c = 1 for its row, with the columns that have a share, descending.
    std::vector<double> c_, correction_;
    std::vector<std::uint32_t> reach_, heap_;
    std::vector<char> met_;
    // r = G^T c and M^-1 r, with the coordinates that occur; r^T M^-1 r, and the sum of squares of the terms of r.
    std::vector<double> r_, solved_;
    std::vector<std::uint32_t> coordinates_;
    std::vector<char> occurs_;
    double residual_ = 0, terms_ = 0;
    std::size_t work_ = 0;
};

}  // namespace libration
