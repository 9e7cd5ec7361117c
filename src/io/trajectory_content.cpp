// The life of a trajectory file. It is laid out and closed, then opened again in SWMR mode, in which HDF5 orders its
// writes so that the file on the disk is whole at any moment; it stays in that mode until it is closed for good.
#include "io/trajectory_content.hpp"

#include "io/trajectory_layout.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <utility>

namespace libration {

using hdf5::checked;
using hdf5::Handle;
using hdf5::Silence;

namespace {

constexpr std::string_view remedy =
    "; the file is truncated or damaged, or its creation was interrupted: take a whole copy, "
    "or start the run again with --overwrite";

}  // namespace

TrajectoryFile::Content::~Content() {
    try {
        if (writing_) {
            write_rows();
        }
    } catch (...) {
        // The reader finds the rows up to the last successful write; there is nobody left to tell.
        static_cast<void>(pending_);
    }
}

hid_t TrajectoryFile::Content::file() const {
    if (!file_) {
        throw InputError(fmt::format("{}: the file is finished; open it again to read it", path_));
    }
    return file_.id();
}

// What the columns and checkpoints of the opened file say.
void TrajectoryFile::Content::adopt() {
    columns_ = open_columns(file_.id(), path_);
    slots_.emplace(file_.id(), path_);
    written_ = columns_.front().rows_in_file();
    std::size_t row_size = 0;
    for (const auto& column : columns_) {
        written_ = std::min(written_, column.rows_in_file());
        row_size += 8 * column.width();
    }
    constexpr std::size_t buffer = std::size_t{4} << 20;
    block_ = std::clamp<std::uint64_t>(std::bit_floor(buffer / row_size), 1, 1024);
    auto newest = slots_->newest(std::filesystem::file_size(path_), written_);
    checkpoint_rows = newest ? static_cast<std::int64_t>(newest->rows) : 0;
    checkpoint.reset();
    if (newest) {
        checkpoint = std::move(newest->memory);
    }
}

void TrajectoryFile::Content::open_for_reading() {
    require_hdf5_signature(path_);
    const auto access = hdf5::file_access(path_);
    // A finished file opens plainly; one that is being written, or was when its run was killed, only as SWMR.
    hid_t id = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.id());
    if (id < 0) {
        const auto why = hdf5::reason();
        id = H5Fopen(path_.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id());
        if (id < 0) {
            throw FileError(fmt::format("{}: cannot open the file: {}{}", path_, why, remedy));
        }
    }
    file_ = Handle(id, H5Fclose);
    require_format(file_.id(), path_);
    try {
        adopt();
    } catch (const FileError& error) {
        throw FileError(fmt::format("{}{}", error.what(), remedy));
    }
    try {
        status = hdf5::read_attribute(file_.id(), "status", path_);
    } catch (const FileError&) {
        // HDF5 writes the reference to a string and the string one after the other; a kill between the two hits a run
        // that had not ended.
        status = "running";
    }
}

void TrajectoryFile::Content::open_for_writing() {
    const auto access = hdf5::file_access(path_);
    // The flags in the file say that its writer did not close it. Our own lock says that this writer is gone; then the
    // flags are cleared, and the end of the file is found, as the tool `h5clear -s --increment=0` does it, by properties
    // that have a name but no function. The end that a killed run left in the file is the one of some former moment:
    // new data would be put over rows.
    const hbool_t yes = true;
    for (const char* property : {"clear_status_flags", "skip_eof_check"}) {
        checked(H5Pset(access.id(), property, &yes), path_, "clear the marks of a killed run (use 'h5clear -s')");
    }
    file_ = checked(H5Fopen(path_.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access.id()), H5Fclose, path_,
                    "open the file for writing");
    checked(H5Fincrement_filesize(file_.id(), 0), path_, "find the end of the file");
    adopt();
    writing_ = true;
}

void TrajectoryFile::Content::close() {
    writing_ = false;
    columns_.clear();
    slots_.reset();
    checked(file_.close(), path_, "close the file");
}

void TrajectoryFile::Content::lay_out(const TrajectoryLayout& layout) {
    const auto access = hdf5::file_access(path_);
    const auto creation = checked(H5Pcreate(H5P_FILE_CREATE), H5Pclose, path_, "prepare HDF5");
    // Attributes of the root stay in its header, where `status` can be changed in SWMR mode.
    checked(H5Pset_attr_phase_change(creation.id(), 1024, 0), path_, "prepare HDF5");
    file_ = checked(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose, path_,
                    "create the file");
    write_layout(file_.id(), layout, path_);
    close();
}

void TrajectoryFile::Content::drop_rows_after_checkpoint() {
    written_ = static_cast<std::uint64_t>(checkpoint_rows);
    for (auto& column : columns_) {
        if (column.rows_in_file() != written_) {
            column.cut(written_);
        }
    }
}

void TrajectoryFile::Content::change_status(const std::string& value) {
    if (status != value) {
        hdf5::write_attribute(file(), "status", value, path_);
        status = value;
    }
}

void TrajectoryFile::Content::require_writing() const {
    file();
    if (!writing_) {
        throw InputError(fmt::format("{}: the file was opened for reading only", path_));
    }
}

void TrajectoryFile::Content::require_sizes(const TrajectoryRow& row) const {
    const std::array<std::pair<const char*, std::pair<std::size_t, std::size_t>>, 5> sizes{
        {{"q", {row.q.size(), columns_[1].width()}},
         {"p", {row.p.size(), columns_[2].width()}},
         {"v", {row.v.size(), columns_[3].width()}},
         {"lambda", {row.lambda.size(), columns_[4].width()}},
         {"observables", {row.observables.size(), columns_.size() - 9}}}};
    for (const auto& [name, size] : sizes) {
        if (size.first != size.second) {
            throw InputError(
                fmt::format("{}: a row has {} values of {}, the file holds {}", path_, size.first, name, size.second));
        }
    }
}

void TrajectoryFile::Content::append(const TrajectoryRow& row) {
    require_writing();
    require_sizes(row);
    std::size_t next = 0;
    const auto add = [&](std::span<const double> values) { columns_[next++].append(values); };
    add(std::span(&row.t, 1));
    for (const auto& values : {row.q, row.p, row.v, row.lambda}) {
        add(values);
    }
    for (const double* value : {&row.energy, &row.constraint, &row.hidden}) {
        add(std::span(value, 1));
    }
    for (const double& value : row.observables) {
        add(std::span(&value, 1));
    }
    columns_[next].append(row.step);
    ++pending_;
    if ((written_ + pending_) % block_ == 0) {
        write_rows();
    }
}

void TrajectoryFile::Content::write_rows() {
    if (pending_ == 0) {
        return;
    }
    const Silence silence;
    for (auto& column : columns_) {
        column.write(written_, pending_);
    }
    for (auto& column : columns_) {
        column.clear();
    }
    written_ += std::exchange(pending_, 0);
}

void TrajectoryFile::Content::write_checkpoint(std::span<const std::byte> memory) {
    require_writing();
    const Silence silence;
    write_rows();
    // The rows must be on the disk before a checkpoint that counts on them.
    own_.sync();
    slots_->write(memory, written_, own_.size());
    own_.sync();
}

void TrajectoryFile::Content::finish(const std::string& value) {
    require_writing();
    const Silence silence;
    write_rows();
    change_status(value);
    close();
    own_.sync();
    own_ = {};
}

std::vector<double> TrajectoryFile::Content::read(const std::string& name) const {
    const auto action = "read " + name;
    if (checked(H5Lexists(file(), name.c_str(), H5P_DEFAULT), path_, action) == 0) {
        hdf5::fail(path_, action, "there is no such dataset");
    }
    const auto dataset = checked(H5Dopen2(file(), name.c_str(), H5P_DEFAULT), H5Dclose, path_, action);
    const auto space = checked(H5Dget_space(dataset.id()), H5Sclose, path_, action);
    const int rank = checked(H5Sget_simple_extent_ndims(space.id()), path_, action);
    std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
    checked(H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr), path_, action);
    if (rank > 0 && !name.starts_with("/checkpoint")) {
        extent[0] = std::min<hsize_t>(extent[0], written_);
    }
    std::size_t count = 1;
    for (const auto size : extent) {
        count *= size;
    }
    std::vector<double> values(count);
    if (count == 0) {
        return values;
    }
    Handle memory = checked(H5Screate(H5S_SCALAR), H5Sclose, path_, action);
    if (rank > 0) {
        const std::vector<hsize_t> begin(extent.size(), 0);
        checked(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, begin.data(), nullptr, extent.data(), nullptr), path_,
                action);
        memory = checked(H5Screate_simple(rank, extent.data(), nullptr), H5Sclose, path_, action);
    }
    checked(H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, values.data()), path_,
            action);
    return values;
}

}  // namespace libration
