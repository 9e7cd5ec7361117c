// A run as Python holds it: its outcome, its states in memory or in a file, and what is needed to go on with it.
#pragma once

#include "file_mark.hpp"
#include "recording.hpp"

#include <libration/io/trajectory_recorder.hpp>
#include <libration/model/model.hpp>

#include <libration/integrate/events.hpp>
#include <libration/result/record.hpp>

#include <pybind11/pybind11.h>

#include <map>
#include <memory>
#include <optional>

namespace libration::python {

// The memory of a run at its last checkpoint, and how many rows and events it knows of.
struct KeptMemory {
    std::vector<std::byte> bytes;
    std::size_t rows = 0, events = 0;
};

// HDF5 is not thread-safe, and h5py shares it: whatever touches a file holds the GIL.
class RunResult {
  public:
    // Opens a file of `libration run` without changing it.
    static std::shared_ptr<RunResult> open(const std::string& path);

    std::shared_ptr<Model> model;  // nothing: a file of a model that has no text
    std::string model_name;
    RunSettings settings;
    std::optional<Run> run;  // nothing: neither the run nor its file could say, until somebody asks what is known
    EventRecorder events;    // of an opened file, once somebody asks for them
    KeptMemory memory;
    std::string path;              // of the file that holds the states, absolute; empty: they are in memory
    std::optional<FileMark> mark;  // of this file as it was left; nothing: somebody else writes to it
    bool broken_off = false;       // by an exception: nobody knows more than the rows
    std::string status;            // as in JSON, or "running" where another process still writes
    std::vector<std::string> warnings;
    bool interrupted = false;
    bool is_former = false;  // a file of an earlier version, which kept no summary
    std::vector<std::string> observable_names;
    std::shared_ptr<Recording> recording;

    // Read from the file where they are not in memory; perhaps without what is computed later.
    const Recording& states();
    const Recording& complete_states();
    pybind11::object column(const std::string& name);
    pybind11::dict columns();
    pybind11::dict event_columns();
    // States at these times by dense output, as columns by name; the run must have recorded the steps around each.
    pybind11::dict at(const std::vector<double>& times);
    // As `libration run --json --full` prints it. Of a file that is being written, with what its last checkpoint knows.
    Record summary();
    // Lines of a label and a text each.
    std::vector<std::pair<std::string, std::string>> facts();
    // What the file at `path` knows of the run; nothing if it cannot be read.
    void take_summary();
    // The file that the run would have written, ready to be resumed and analysed.
    void save(const std::string& file, bool overwrite);
    // The result as JSON, and its figures as SVG.
    pybind11::tuple analyse(const std::string& name, const std::map<std::string, std::string>& options);

  private:
    void take_summary(const TrajectoryFile& file);
    void summarize();
    void load_events();
    void require_unchanged() const;
    void write_file(const std::string& file, const Recording& held) const;

    bool events_are_in_file_ = false;  // and not yet in memory
    bool is_summarized_ = false;
    bool is_known_ = true;  // false: only rows are
};

// A read-only array that shares the memory of its block.
pybind11::object shared_array(const Recording& recording, Recording::Column column);

}  // namespace libration::python
