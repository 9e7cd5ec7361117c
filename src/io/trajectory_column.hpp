// One dataset of /run: rows of equal width that are only ever appended.
#pragma once

#include "io/hdf5_handle.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace libration {

// What a row of the column is: one number in a one-dimensional dataset, or `width` numbers (perhaps none).
struct ColumnShape {
    enum class Kind { number, integer, vector };
    Kind kind = Kind::number;
    std::size_t width = 1;
};

class TrajectoryColumn {
  public:
    // `names`: what the entries of a row are called; an attribute, unless empty or too many for one.
    static void create(hid_t file, const std::string& name, ColumnShape shape, std::span<const std::string> names,
                       const std::string& path);

    // FileError if it is not there or is of another kind.
    TrajectoryColumn(hid_t file, std::string name, ColumnShape::Kind kind, const std::string& path);

    const std::string& name() const { return name_; }
    std::size_t width() const { return width_; }
    std::uint64_t rows_in_file() const;

    // To memory only; a row is `width` doubles, or one integer.
    void append(std::span<const double> row);
    void append(std::int64_t value);

    // Writes the `rows` rows that were appended behind the first `begin` ones. May be repeated after a failure.
    void write(std::uint64_t begin, std::uint64_t rows);
    // Drops the rows from `rows` on.
    void cut(std::uint64_t rows);
    // Forgets what was appended, once all columns have written it.
    void clear() { pending_.clear(); }

  private:
    void extend(std::uint64_t rows);

    std::string path_;
    std::string name_;
    hdf5::Handle dataset_;
    ColumnShape::Kind kind_;
    std::size_t width_ = 1;
    std::vector<std::byte> pending_;
};

}  // namespace libration
