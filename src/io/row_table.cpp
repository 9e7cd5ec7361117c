// Blocks of rows.
#include "io/row_table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace libration {

RowTable::RowTable(std::vector<TrajectoryColumn> columns) : columns_(std::move(columns)) {
    written_ = columns_.front().rows_in_file();
    std::size_t row_size = 0;
    for (const auto& column : columns_) {
        written_ = std::min(written_, column.rows_in_file());
        row_size += 8 * column.width();
    }
    constexpr std::size_t buffer = std::size_t{4} << 20;
    block_ = std::clamp<std::uint64_t>(std::bit_floor(buffer / row_size), 1, 1024);
}

void RowTable::write() {
    if (pending_ == 0) {
        return;
    }
    for (auto& column : columns_) {
        column.write(written_, pending_);
    }
    for (auto& column : columns_) {
        column.clear();
    }
    written_ += std::exchange(pending_, 0);
}

void RowTable::cut(std::uint64_t rows) {
    written_ = rows;
    for (auto& column : columns_) {
        if (column.rows_in_file() != written_) {
            column.cut(written_);
        }
    }
}

}  // namespace libration
