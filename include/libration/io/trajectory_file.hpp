// A trajectory in one HDF5 file that survives a kill at any moment: the recorded rows, and two alternating checkpoints.
//
//   /run/t step energy constraint hidden     one number per row
//   /run/q p v lambda                        [rows][dimension], lambda [rows][constraints]
//   /run/observables/NAME                    one number per row
//   /events/event rising t q p v lambda ...  one row per event of a run that has events; `names` of `event`
//   /particles/NAME, /h5md                   the same rows as H5MD sees them, for models with points
//   attributes of /run                       how the run ended: steps, energy.max_error, ..., see record_of(Run); while
//   it is on,
//                                            how it ended before
//   /checkpoint/a b                          the memory and the results so far of the run, two generations
//   /journal                                 the one write that may be in progress, see src/io/write_journal.hpp
//
// The file is written in HDF5's SWMR mode and is whole at any moment: while it grows, and after a kill, any reader
// opens it as it opens a finished one, `h5py.File(path, 'r')`, and finds the rows of the last write or checkpoint. To
// follow a run, reopen the file, or open it with `swmr=True` and call refresh(); a plain reader that encounters a
// change while reading gets an error and must reopen it. Other writers are refused during a run. Until it is closed the
// file ends in a hole of up to an eighth of its size, 16 MiB at most. Cells that a kill left unwritten are NaN. Not
// thread-safe: HDF5 itself is not.
#pragma once

#include <libration/result/record.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// The contents of a file; fixed at its creation.
struct TrajectoryLayout {
    std::size_t dimension = 0;
    std::size_t constraints = 0;
    // Attributes `names` of /run/q, p, v and of /run/lambda; omitted where there are more than 2,000.
    std::vector<std::string> coordinate_names;
    std::vector<std::string> multiplier_names;
    // One dataset each, in the order of TrajectoryRow::observables; not empty, distinct, without '/'.
    std::vector<std::string> observable_names;
    // Of the events that the file keeps, in the order of their numbers; none: the file has no /events.
    std::vector<std::string> event_names;
    // Attributes of the root: model, method, version, model_text, ... (`status`, `step` and `format` are ours).
    // `version` and `author` also name the program and the author in /h5md.
    std::vector<std::pair<std::string, ResultValue>> attributes;
    double step = 0;
    // What is known of the outcome before the run; its numbers and texts become attributes of /run.
    Record outcome;
    // Coordinates first .. first + count*dimension - 1 of q are `count` points in Cartesian space.
    struct Points {
        std::string name;
        std::size_t count = 0;
        std::size_t dimension = 0;
        std::size_t first = 0;
    };
    std::vector<Points> points;
};

// One recorded state. The sizes must be those of the layout.
struct TrajectoryRow {
    std::int64_t step = 0;
    double t = 0;
    std::span<const double> q, p, v, lambda, observables;
    double energy = 0;
    double constraint = 0;
    double hidden = 0;
};

// The state where event number `event` happened; `rising`: its value went upwards. Observables are not kept.
struct EventRow {
    std::size_t event = 0;
    bool rising = false;
    TrajectoryRow state;
};

// Every member may throw FileError with the path, the action and the reason. A failed write (disk full) ends the file:
// it stays as a kill would leave it, resumable from its last checkpoint, and every later call throws the same reason.
// The destructor never throws: it writes what it can, and leaves `status` as it is.
class TrajectoryFile {
  public:
    // An empty file with `status` "running". InputError if it exists and `overwrite` is not set; FileError if it cannot
    // be written or another run is writing to it. If the creation fails, no file is left.
    static TrajectoryFile create(const std::string& path, const TrajectoryLayout& layout, bool overwrite);

    // Throws what `create` would throw because of an existing file, and does not touch it.
    static void require_replaceable(const std::string& path, bool overwrite);

    // Continues a file in place, regardless of its status: drops the rows after the last valid checkpoint (all rows if
    // there is none) and sets `status` to "running". To inspect without changing anything, use open_read_only.
    static TrajectoryFile open_for_resume(const std::string& path);

    // Also while another process writes to the file; then it has the current rows and checkpoint.
    static TrajectoryFile open_read_only(const std::string& path);

    TrajectoryFile(TrajectoryFile&&) noexcept;
    TrajectoryFile& operator=(TrajectoryFile&&) noexcept;
    ~TrajectoryFile();

    // The last valid checkpoint that was in the file when it was opened, and the numbers of rows and events that belong
    // to it.
    const std::optional<std::vector<std::byte>>& checkpoint() const;
    std::int64_t checkpoint_rows() const;
    std::int64_t checkpoint_events() const;
    // The results of the run at its last checkpoint or at its end; nothing in files of earlier versions.
    const std::optional<Record>& summary() const;

    // Attributes of the root; numbers are printed in the shortest form that reads back. InputError if there is none.
    bool has_attribute(std::string_view name) const;
    std::string attribute(std::string_view name) const;
    std::string status() const;

    // In the order of a row.
    std::vector<std::string> observable_names() const;
    // Coordinates in a row of q, multipliers in a row of lambda.
    std::size_t dimension() const;
    std::size_t constraints() const;

    // Rows appended, or found in the file.
    std::int64_t rows() const;

    // Whether the file has a place for events, and how many were appended, or found in it.
    bool keeps_events() const;
    std::int64_t events() const;

    // Buffers one row; writes to the file once about 1,000 rows or 4 MiB have accumulated.
    void append(const TrajectoryRow& row);
    // Likewise; InputError if the file does not keep events.
    void append_event(const EventRow& event);

    // `so_far`: what summary() says afterwards. Rows first, then the checkpoint, each flushed to disk: after a kill at
    // any moment the file contains this checkpoint or the previous one, with all its rows. Costs two fsync and, in
    // rows, up to one half-filled block (some 50 kB) of file space that is not used again: call it every few seconds,
    // not every few rows.
    void write_checkpoint(std::span<const std::byte> memory, const Record& so_far = {});

    // Writes all rows and the outcome (nothing: that of the last checkpoint stays), sets `status` to "completed",
    // "stopped" or "failed", and closes the file; only rows() and status() may be asked afterwards.
    void finish(const std::string& status, const Record& outcome = {});

    // A whole dataset of numbers, row after row, e.g. "/run/q"; of datasets with rows, the first rows() or events(),
    // for a file that is being written without the rows that are still buffered.
    std::vector<double> read(std::string_view dataset) const;

  private:
    class Content;
    explicit TrajectoryFile(std::unique_ptr<Content> content);
    std::unique_ptr<Content> content_;
};

}  // namespace libration
