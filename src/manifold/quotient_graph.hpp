// The quotient graph of an elimination. [Amestoy, Davis, Duff 1996, section 2]
//
// An element is a set of rows that are all coupled with each other. A coordinate is one from the beginning: it couples
// all the constraints that contain it. Eliminating a row unites its elements into one, which is the set of rows that
// the row leaves coupled. So the graph consists of rows and elements only, couplings are never written out, and it
// never grows.
#pragma once

#include "ordering.hpp"

#include <limits>

namespace libration {

// No row, no element.
inline constexpr std::uint32_t no_vertex = std::numeric_limits<std::uint32_t>::max();

// Aligned, because rows and elements are met in any order and each should cost one cache line.
struct alignas(32) GraphRow {
    std::uint32_t first = 0, length = 0;  // its elements
    std::uint32_t weight = 1;             // rows that it stands for; 0: eliminated, or stands behind another
    std::uint32_t degree = 0;             // upper bound of the rows coupled with it
    std::uint32_t previous = no_vertex, next = no_vertex;  // in its queue
    std::uint32_t stamp = 0;
};

struct alignas(32) GraphElement {
    std::uint32_t first = 0, length = 0;  // its rows; some may be gone
    std::uint32_t weight = 0;             // of its rows; 0: absorbed by another element
    std::uint32_t outside = 0;            // weight of its rows that are not in the newest element, if stamped
    std::uint32_t stamp = 0;
};

class QuotientGraph {
  public:
    QuotientGraph(const SparsePattern& pattern, std::size_t dimension);

    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] GraphRow& row(std::uint32_t i) { return rows_[i]; }
    [[nodiscard]] GraphElement& element(std::uint32_t e) { return elements_[e]; }
    [[nodiscard]] std::uint32_t* elements_of(std::uint32_t i) { return elements_of_rows_.data() + rows_[i].first; }
    [[nodiscard]] std::uint32_t* rows_of(std::uint32_t e) { return pool_.data() + elements_[e].first; }
    // Rows that are not in the graph and go last.
    [[nodiscard]] const std::vector<std::uint32_t>& dense_rows() const { return dense_; }

    // A number that no row and no element has been marked with.
    std::uint32_t fresh_stamp() { return ++stamp_; }

    // The first element of the pivot becomes the union of all, without the pivot, whose weight must be zero; the others
    // are absorbed. For every further element of the rows in it, `outside` is measured. The pivot must have an element.
    std::uint32_t eliminate(std::uint32_t pivot);

  private:
    void set_dense_rows_aside(const SparsePattern& pattern);
    void find_elements(const SparsePattern& pattern, std::size_t dimension);
    void add_element(std::span<const std::uint32_t> rows);
    void list_elements_of_rows();
    std::uint32_t unite_elements(std::uint32_t pivot);
    void clean_pool();
    void measure_outside(std::uint32_t e);

    std::vector<GraphRow> rows_;
    std::vector<GraphElement> elements_;
    std::vector<std::uint32_t> elements_of_rows_, pool_, dense_;
    std::size_t pool_limit_ = 0;
    std::uint32_t stamp_ = 0;
};

}  // namespace libration
