// Chunks, filters and hyperslabs of one column.
#include "io/trajectory_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>

namespace libration {

namespace {

using hdf5::checked;
using hdf5::Handle;
using Extent = std::array<hsize_t, 2>;

constexpr std::size_t value_size = 8;

// A chunk that is written again with more rows leaves its old copy in the file (SWMR readers may still look at it), so
// chunks of many rows are kept small; a row that is longer than a chunk should be is cut evenly.
Extent chunk(const ColumnShape& shape) {
    constexpr std::size_t many_rows = std::size_t{16} << 10;
    constexpr std::size_t one_row = std::size_t{1} << 20;
    const std::size_t width = std::max<std::size_t>(shape.width, 1);
    const std::size_t pieces = (width * value_size + one_row - 1) / one_row;
    const std::size_t rows = many_rows / (width * value_size);
    return {std::clamp<std::size_t>(std::bit_floor(rows), 1, 1024), (width + pieces - 1) / pieces};
}

int rank(ColumnShape::Kind kind) { return kind == ColumnShape::Kind::vector ? 2 : 1; }

hid_t memory_type(ColumnShape::Kind kind) {
    return kind == ColumnShape::Kind::integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
}

Handle creation_properties(const ColumnShape& shape, const std::string& path, const std::string& action) {
    auto properties = checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path, action);
    checked(H5Pset_chunk(properties.id(), rank(shape.kind), chunk(shape).data()), path, action);
    checked(H5Pset_shuffle(properties.id()), path, action);
    checked(H5Pset_deflate(properties.id(), 1), path, action);
    checked(H5Pset_fletcher32(properties.id()), path, action);
    // What was never written must not look like a number.
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::int64_t none = -1;
    const void* fill = shape.kind == ColumnShape::Kind::integer ? static_cast<const void*>(&none) : &nan;
    checked(H5Pset_fill_value(properties.id(), memory_type(shape.kind), fill), path, action);
    return properties;
}

void write_names(hid_t dataset, std::span<const std::string> names, const std::string& path) {
    // An attribute lies in the object header, 64 KiB at most, 16 bytes a reference to a string.
    constexpr std::size_t most = 2000;
    if (names.empty() || names.size() > most) {
        return;
    }
    constexpr std::string_view action = "write the attribute 'names'";
    std::vector<const char*> begins;
    for (const auto& name : names) {
        begins.push_back(name.c_str());
    }
    const hsize_t count = begins.size();
    const auto type = hdf5::text_type(path);
    const auto space = checked(H5Screate_simple(1, &count, nullptr), H5Sclose, path, action);
    const auto attribute =
        checked(H5Acreate2(dataset, "names", type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, path, action);
    checked(H5Awrite(attribute.id(), type.id(), begins.data()), path, action);
}

}  // namespace

void TrajectoryColumn::create(hid_t file, const std::string& name, ColumnShape shape,
                              std::span<const std::string> names, const std::string& path) {
    const auto action = "create " + name;
    const Extent none{0, shape.width};
    // A dimension that is limited to 0 is refused: without constraints, the width of lambda is open.
    const Extent most{H5S_UNLIMITED, shape.width == 0 ? H5S_UNLIMITED : shape.width};
    const auto space = checked(H5Screate_simple(rank(shape.kind), none.data(), most.data()), H5Sclose, path, action);
    const auto properties = creation_properties(shape, path, action);
    const hid_t type = shape.kind == ColumnShape::Kind::integer ? H5T_STD_I64LE : H5T_IEEE_F64LE;
    const auto dataset =
        checked(H5Dcreate2(file, name.c_str(), type, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Dclose,
                path, action);
    write_names(dataset.id(), names, path);
}

TrajectoryColumn::TrajectoryColumn(hid_t file, std::string name, ColumnShape::Kind kind, const std::string& path)
    : path_(path), name_(std::move(name)), kind_(kind) {
    const auto action = "open " + name_;
    // Full chunks are not needed again; HDF5's default would keep a megabyte of them for every observable.
    const auto properties = checked(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, path_, action);
    checked(H5Pset_chunk_cache(properties.id(), 11, std::size_t{1} << 16, 1.0), path_, action);
    dataset_ = checked(H5Dopen2(file, name_.c_str(), properties.id()), H5Dclose, path_, action);
    const auto space = checked(H5Dget_space(dataset_.id()), H5Sclose, path_, action);
    if (H5Sget_simple_extent_ndims(space.id()) != rank(kind_)) {
        hdf5::fail(path_, action, "its number of dimensions differs from what libration writes");
    }
    const auto type = checked(H5Dget_type(dataset_.id()), H5Tclose, path_, action);
    if (const auto of = H5Tget_class(type.id()); of != H5T_FLOAT && of != H5T_INTEGER) {
        hdf5::fail(path_, action, "it does not contain numbers");
    }
    if (kind_ == ColumnShape::Kind::vector) {
        Extent extent{};
        checked(H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr), path_, action);
        width_ = extent[1];
    }
}

std::uint64_t TrajectoryColumn::rows_in_file() const {
    const auto space = checked(H5Dget_space(dataset_.id()), H5Sclose, path_, "measure " + name_);
    Extent extent{};
    checked(H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr), path_, "measure " + name_);
    return extent[0];
}

void TrajectoryColumn::append(std::span<const double> row) {
    assert(row.size() == width_);
    const auto bytes = std::as_bytes(row);
    pending_.insert(pending_.end(), bytes.begin(), bytes.end());
}

void TrajectoryColumn::append(std::int64_t value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    pending_.insert(pending_.end(), bytes.begin(), bytes.end());
}

void TrajectoryColumn::extend(std::uint64_t rows) {
    const Extent extent{rows, width_};
    checked(H5Dset_extent(dataset_.id(), extent.data()), path_, "change the length of " + name_);
}

void TrajectoryColumn::write(std::uint64_t begin, std::uint64_t rows) {
    assert(pending_.size() == rows * width_ * value_size);
    const auto action = "write " + name_;
    extend(begin + rows);
    if (width_ > 0) {
        const Extent first{begin, 0};
        const Extent count{rows, width_};
        const auto target = checked(H5Dget_space(dataset_.id()), H5Sclose, path_, action);
        checked(H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr), path_,
                action);
        const auto source = checked(H5Screate_simple(rank(kind_), count.data(), nullptr), H5Sclose, path_, action);
        checked(H5Dwrite(dataset_.id(), memory_type(kind_), source.id(), target.id(), H5P_DEFAULT, pending_.data()),
                path_, action);
    }
    // Values before lengths: what a reader finds within the length has been written.
    checked(H5Dflush(dataset_.id()), path_, action);
}

void TrajectoryColumn::cut(std::uint64_t rows) {
    extend(rows);
    checked(H5Dflush(dataset_.id()), path_, "shorten " + name_);
}

}  // namespace libration
