// The life of a trajectory file. It is laid out and closed, then opened again in SWMR mode, in which HDF5 orders its
// writes so that the file on the disk is whole at any moment; it stays in that mode until it is closed for good.
#include "io/trajectory_content.hpp"

#include "io/hdf5_driver.hpp"
#include "io/record_attributes.hpp"
#include "io/record_bytes.hpp"
#include "io/trajectory_layout.hpp"
#include "io/write_journal.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace libration {

using hdf5::checked;
using hdf5::Handle;
using hdf5::Silence;

namespace {

constexpr std::string_view remedy = "; the file is truncated or damaged, or its creation was interrupted: use an "
                                    "intact copy, or rerun with `overwrite`";

// What fails in a file that has been opened fails because of what is in it.
template <class Action>
auto or_remedy(Action action) {
    try {
        return action();
    } catch (const FileError& error) {
        throw FileError(fmt::format("{}{}", error.what(), remedy));
    }
}

// t, q, p, v, lambda, energy, constraint and hidden, from the column `next` on; gives the column behind them.
std::size_t add_state(RowTable& table, std::size_t next, const TrajectoryRow& row) {
    table.add(next++, std::span(&row.t, 1));
    for (const auto& values : {row.q, row.p, row.v, row.lambda}) {
        table.add(next++, values);
    }
    for (const double* value : {&row.energy, &row.constraint, &row.hidden}) {
        table.add(next++, std::span(value, 1));
    }
    return next;
}

}  // namespace

TrajectoryFile::Content::~Content() {
    try {
        if (writing_) {
            change([&] {
                write_rows();
                close();
            });
        }
    } catch (...) {
        // The file is whole up to its last checkpoint, and no caller is left to tell.
        writing_ = false;
    }
}

void TrajectoryFile::Content::abandon(const std::string& why) noexcept {
    writing_ = false;
    failure_ = why;
    hdf5::drop_writes(file_);
    rows_.close();
    events_.close();
    slots_.reset();
    file_ = {};
    own_ = {};
}

void TrajectoryFile::Content::require_written() const {
    if (const int error = hdf5::failed_write(file_); error != 0) {
        hdf5::fail(path_, "write the file", std::generic_category().message(error));
    }
}

template <class Action>
void TrajectoryFile::Content::change(Action action) {
    const Silence silence;
    try {
        action();
        require_written();
    } catch (const FileError& error) {
        abandon(error.what());
        throw;
    }
}

hid_t TrajectoryFile::Content::file() const {
    if (!failure_.empty()) {
        throw FileError(fmt::format("{} (nothing has been written since)", failure_));
    }
    if (!file_) {
        throw InputError(fmt::format("{}: the file is closed; reopen it to read it", path_));
    }
    return file_.id();
}

// What the columns and checkpoints of the opened file say.
void TrajectoryFile::Content::adopt() {
    rows_ = RowTable(open_columns(file_.id(), path_));
    auto of_events = open_event_columns(file_.id(), path_);
    events_ = of_events.empty() ? RowTable() : RowTable(std::move(of_events));
    slots_.emplace(file_.id(), path_);
    std::error_code unknown;  // then the size is the largest number, and nothing is found missing
    auto newest = slots_->newest({.file_size = std::filesystem::file_size(path_, unknown),
                                  .rows = rows_.written(),
                                  .events = events_.written()});
    checkpoint_rows = newest ? static_cast<std::int64_t>(newest->rows) : 0;
    checkpoint.reset();
    summary.reset();
    last_ = {};
    if (newest) {
        if (!newest->summary.empty()) {
            summary = record_of_bytes(newest->summary);
        }
        last_ = std::move(*newest);
        checkpoint = last_.memory;
    }
}

void TrajectoryFile::Content::open_for_reading() {
    require_hdf5_signature(path_);
    const auto access = hdf5::file_access(path_);
    hdf5::use_own_driver(access, path_);
    // For HDF5 the file is whole at any moment; SWMR means that it tries again what it has read in the middle of a
    // change, and takes the marks of a killed run that former versions left.
    file_ = or_remedy([&] {
        return checked(H5Fopen(path_.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id()), H5Fclose, path_,
                       "open the file");
    });
    require_format(or_remedy([&] { return format_of(file_.id(), path_); }), path_);
    or_remedy([&] { adopt(); });
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
    hdf5::use_own_driver(access, path_);
    // Former versions left flags in the file that say that its writer did not close it. Our own lock says that this
    // writer is gone; then the flags are cleared, and the end of the file is found, as the tool `h5clear -s
    // --increment=0` does it, by properties that have a name but no function. The end that a killed run left in the
    // file is the one of some former moment: new data would be put over rows.
    const hbool_t yes = true;
    for (const char* property : {"clear_status_flags", "skip_eof_check"}) {
        checked(H5Pset(access.id(), property, &yes), path_, "clear the marks of a killed run (use 'h5clear -s')");
    }
    file_ = checked(H5Fopen(path_.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access.id()), H5Fclose, path_,
                    "open the file for writing");
    writing_ = true;
    checked(H5Fincrement_filesize(file_.id(), 0), path_, "find the end of the file");
    adopt();
}

void TrajectoryFile::Content::resume() {
    own_.mend();
    // Else nothing is changed in a file that cannot be continued.
    open_for_reading();
    close();
    try {
        open_for_writing();
        drop_rows_after_checkpoint();
        change_status("running");
        require_written();
    } catch (const FileError& error) {
        const bool damaged = file_ && hdf5::failed_write(file_) == 0;
        abandon(error.what());
        throw FileError(fmt::format("{}{}", error.what(), damaged ? remedy : ""));
    }
}

void TrajectoryFile::Content::close() {
    // A flush that fails can be seen and answered, a close that fails cannot.
    if (writing_) {
        checked(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), path_, "write the file");
        require_written();
    }
    writing_ = false;
    rows_.close();
    events_.close();
    slots_.reset();
    checked(file_.close(), path_, "close the file");
}

void TrajectoryFile::Content::lay_out(const TrajectoryLayout& layout) {
    const auto access = hdf5::file_access(path_);
    hdf5::use_own_driver(access, path_);
    // For the journal, whose place must be found without HDF5.
    checked(H5Pset_alignment(access.id(), WriteJournal::size, WriteJournal::page), path_, "prepare HDF5");
    const auto creation = checked(H5Pcreate(H5P_FILE_CREATE), H5Pclose, path_, "prepare HDF5");
    // Attributes of the root stay in its header, where `status` can be changed in SWMR mode.
    checked(H5Pset_attr_phase_change(creation.id(), 1024, 0), path_, "prepare HDF5");
    file_ = checked(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose, path_,
                    "create the file");
    writing_ = true;
    write_layout(file_.id(), layout, path_);
    close();
}

void TrajectoryFile::Content::drop_rows_after_checkpoint() {
    rows_.cut(static_cast<std::uint64_t>(checkpoint_rows));
    events_.cut(last_.events.value_or(0));
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

// Columns stand in the order of open_columns: t, q, p, v, lambda, energy, constraint, hidden, observables, step.
std::vector<std::string> TrajectoryFile::Content::observable_names() const {
    file();
    std::vector<std::string> names;
    for (std::size_t k = 8; k + 1 < rows_.columns().size(); ++k) {
        names.push_back(rows_.columns()[k].name().substr(std::string_view("/run/observables/").size()));
    }
    return names;
}

std::size_t TrajectoryFile::Content::dimension() const {
    file();
    return rows_.columns()[1].width();
}

std::size_t TrajectoryFile::Content::constraints() const {
    file();
    return rows_.columns()[4].width();
}

void TrajectoryFile::Content::require_sizes(const TrajectoryRow& row) const {
    const auto require = [&](const char* name, std::span<const double> values, std::size_t size) {
        if (values.size() != size) {
            throw InputError(
                fmt::format("{}: a row has {} values of {}, the file has {}", path_, values.size(), name, size));
        }
    };
    const auto columns = rows_.columns();
    require("q", row.q, columns[1].width());
    require("p", row.p, columns[2].width());
    require("v", row.v, columns[3].width());
    require("lambda", row.lambda, columns[4].width());
}

void TrajectoryFile::Content::append(const TrajectoryRow& row) {
    require_writing();
    require_sizes(row);
    if (row.observables.size() != rows_.columns().size() - 9) {
        throw InputError(fmt::format("{}: a row has {} observables, the file holds {}", path_, row.observables.size(),
                                     rows_.columns().size() - 9));
    }
    std::size_t next = add_state(rows_, 0, row);
    for (const double& value : row.observables) {
        rows_.add(next++, std::span(&value, 1));
    }
    rows_.add(next, row.step);
    if (rows_.end_row()) {
        change([&] { rows_.write(); });
    }
}

// In the order of open_event_columns: event, rising, t, q, p, v, lambda, energy, constraint, hidden, step.
void TrajectoryFile::Content::append_event(const EventRow& event) {
    require_writing();
    if (!keeps_events()) {
        throw InputError(fmt::format("{}: the file has no place for events", path_));
    }
    const auto& row = event.state;
    require_sizes(row);
    events_.add(0, static_cast<std::int64_t>(event.event));
    events_.add(1, std::int64_t{event.rising ? 1 : 0});
    events_.add(add_state(events_, 2, row), row.step);
    if (events_.end_row()) {
        change([&] { events_.write(); });
    }
}

// All that is buffered. Half-filled blocks leave file space behind that is not used again, so that the two tables are
// written together at checkpoints and at the end only.
void TrajectoryFile::Content::write_rows() {
    events_.write();
    rows_.write();
}

void TrajectoryFile::Content::write_checkpoint(std::span<const std::byte> memory, const Record& so_far) {
    require_writing();
    change([&] {
        write_rows();
        // The rows must be on the disk before a checkpoint that counts on them.
        own_.sync();
        require_written();
        last_.memory.assign(memory.begin(), memory.end());
        last_.rows = rows_.written();
        last_.events = keeps_events() ? std::optional(events_.written()) : std::nullopt;
        write_summary(so_far);
        own_.sync();
    });
}

// Beside the memory of the last checkpoint, in the other slot: the end of the run is not part of what a longer one goes
// on from.
void TrajectoryFile::Content::write_summary(const Record& record) {
    last_.summary = record.empty() ? std::vector<std::byte>() : bytes_of(record);
    last_.file_size = hdf5::end_of_file(file_);
    slots_->write(last_);
}

void TrajectoryFile::Content::finish(const std::string& value, const Record& outcome) {
    require_writing();
    change([&] {
        write_rows();
        if (!outcome.empty()) {
            write_summary(outcome);
            const auto run = checked(H5Gopen2(file(), "/run", H5P_DEFAULT), H5Gclose, path_, "open /run");
            update_attributes(run.id(), outcome, path_);
        }
        change_status(value);
        close();
        own_.sync();
    });
    own_ = {};
}

std::vector<double> TrajectoryFile::Content::read(const std::string& name) const {
    const bool has_rows = !name.starts_with("/checkpoint") && !name.starts_with("/journal");
    const auto most = name.starts_with("/events") ? events_.written() : rows_.written();
    return hdf5::read_numbers(file(), name, has_rows ? most : H5S_UNLIMITED, path_);
}

}  // namespace libration
