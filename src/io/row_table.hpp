// Columns that grow together, row by row: buffered in memory, written in blocks.
#pragma once

#include "io/trajectory_column.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace libration {

class RowTable {
  public:
    RowTable() = default;
    // Rows that are in all of the columns.
    explicit RowTable(std::vector<TrajectoryColumn> columns);

    [[nodiscard]] bool empty() const { return columns_.empty(); }
    [[nodiscard]] std::span<const TrajectoryColumn> columns() const { return columns_; }
    [[nodiscard]] std::uint64_t written() const { return written_; }
    [[nodiscard]] std::uint64_t rows() const { return written_ + pending_; }

    // To memory only, column after column; `end_row` after the last one says whether a block is full.
    void add(std::size_t column, std::span<const double> values) { columns_[column].append(values); }
    void add(std::size_t column, std::int64_t value) { columns_[column].append(value); }
    [[nodiscard]] bool end_row() { return (written_ + ++pending_) % block_ == 0; }

    // Writes the buffered rows. May be repeated after a failure.
    void write();
    // Lets the datasets go; the number of rows stays known.
    void close() { columns_.clear(); }
    // Drops the rows from `rows` on; nothing may be buffered.
    void cut(std::uint64_t rows);

  private:
    std::vector<TrajectoryColumn> columns_;
    std::uint64_t block_ = 1;  // rows that are written together, a power of two as the rows of chunks are
    std::uint64_t written_ = 0, pending_ = 0;
};

}  // namespace libration
