// The implementation of a TrajectoryFile: its HDF5 objects, and the rows on their way into them.
#pragma once

#include "io/checkpoint_slots.hpp"
#include "io/exclusive_file.hpp"
#include "io/hdf5_handle.hpp"
#include "io/row_table.hpp"

#include <libration/io/trajectory_file.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace libration {

// The caller keeps HDF5 silent.
class TrajectoryFile::Content {
  public:
    Content(std::string path, ExclusiveFile own) : path_(std::move(path)), own_(std::move(own)) {}
    ~Content();

    void lay_out(const TrajectoryLayout& layout);
    void open_for_reading();
    void open_for_writing();
    void resume();
    void close();

    void append(const TrajectoryRow& row);
    void append_event(const EventRow& event);
    void write_checkpoint(std::span<const std::byte> memory, const Record& so_far);
    void finish(const std::string& value, const Record& outcome);
    std::vector<double> read(const std::string& name) const;

    // Gives the file up as it is on the disk; every later write says `why`.
    void abandon(const std::string& why) noexcept;

    // InputError if the file is finished.
    hid_t file() const;
    std::vector<std::string> observable_names() const;
    std::size_t dimension() const;
    std::size_t constraints() const;
    std::int64_t rows() const { return static_cast<std::int64_t>(rows_.rows()); }
    std::int64_t checkpoint_events() const { return static_cast<std::int64_t>(last_.events.value_or(0)); }
    bool keeps_events() const { return !events_.empty(); }
    std::int64_t events() const { return static_cast<std::int64_t>(events_.rows()); }
    const std::string& path() const { return path_; }

    std::optional<std::vector<std::byte>> checkpoint;
    std::int64_t checkpoint_rows = 0;
    std::optional<Record> summary;
    std::string status = "running";

  private:
    void adopt();
    void drop_rows_after_checkpoint();
    void change_status(const std::string& value);
    void write_rows();
    void write_summary(const Record& record);
    void require_writing() const;
    void require_written() const;
    // Does it in silence; if it fails, the file is abandoned.
    template <class Action>
    void change(Action action);
    void require_sizes(const TrajectoryRow& row) const;

    std::string path_;
    ExclusiveFile own_;
    // Destroyed in the reverse order: the objects in a file before the file.
    hdf5::Handle file_;
    std::optional<CheckpointSlots> slots_;
    RowTable rows_;
    RowTable events_;  // without columns: the file keeps none
    bool writing_ = false;
    Checkpoint last_;  // as it was found or written, for the summary of the end
    std::string failure_;
};

}  // namespace libration
