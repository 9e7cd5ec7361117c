// Writing a run to a trajectory file and resuming it from there.
#pragma once

#include <libration/integrate/events.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/integrate/run_settings.hpp>
#include <libration/io/trajectory_file.hpp>
#include <libration/model/model.hpp>

namespace [[gnu::visibility("default")]] libration {

// The intended length of a run, in eight bytes of a checkpoint: the number of steps, or, where the file says so, the
// duration.
struct RunLength {
    std::int64_t bits = 0;
};
RunLength run_length(const IntegrationOptions& options);

TrajectoryLayout trajectory_layout(const RunSettings& settings);

// The part of the model missing from files because it cannot be traced ("the potential", ...); empty: all is stored.
std::string missing_functions(const TrajectoryFile& file);

// The settings of the run that wrote the file, with the number of steps of its last checkpoint. FileError if the file
// is not readable, InputError if it holds no run.
RunSettings read_settings(const TrajectoryFile& file);

// The settings with which the run of the file `asked.resume` continues. Repeated options must agree with those in the
// file; only the length may grow, with adaptive steps in the unit in which it was given. InputError with the path
// otherwise.
RunSettings resumed_settings(const RunRequest& asked);

// Connects a running integration with its file. The length of the run is stored in every checkpoint, so that a resumed
// run knows its intended length.
class TrajectoryRecorder final : public Observer, public CheckpointSink {
  public:
    TrajectoryRecorder(TrajectoryFile file, std::int64_t total_steps)
        : TrajectoryRecorder(std::move(file), RunLength{total_steps}) {}
    TrajectoryRecorder(TrajectoryFile file, RunLength length) : file_(std::move(file)), length_(length) {}
    void see(const Sample& sample) override;
    // Where the file keeps events; those of earlier versions do not.
    void happen(std::size_t event, bool rising, const Sample& sample) override;
    void save(std::span<const std::byte> memory, const Run& so_far) override;
    // A memory without further results.
    void save(std::span<const std::byte> memory);
    void finish(const Run& run);
    // For a run that threw: only the last checkpoint and the rows are known.
    void finish(RunStatus status);

  private:
    std::span<const std::byte> with_length(std::span<const std::byte> memory);
    TrajectoryFile file_;
    RunLength length_;
    std::vector<std::byte> bytes_;
};

// The states of events that the file holds, none where it keeps no events; more than `most_numbers` numbers: none, and
// not complete.
EventRecorder read_events(const TrajectoryFile& file, std::size_t most_numbers = static_cast<std::size_t>(-1));

// The memory inside the file's last checkpoint, ready for Integration::restore; empty if there is none.
std::vector<std::byte> saved_memory(const TrajectoryFile& file);

}  // namespace libration
