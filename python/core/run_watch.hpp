// What a run tells Python while it is on: states to a callback, progress, and where signals are looked for.
#pragma once

#include "gil.hpp"
#include "run_result.hpp"

#include <pybind11/pybind11.h>

#include <optional>

namespace libration::python {

// One state as a callback sees it; its arrays are copies.
struct State {
    std::int64_t step;
    double t;
    pybind11::object q, p, v, lambda;
    double energy, constraint, hidden;
    pybind11::dict observables;
};

// Keeps states in memory or hands them to a file, and asks the callback after each. Once the callback ends the run,
// nothing more is kept: the state that it saw last is the last one.
class RunWatch final : public Observer, public CheckpointSink {
  public:
    struct Functions {
        pybind11::object callback, progress;  // None: nobody is asked
    };
    // `most_bytes`: of states in memory; then the run ends.
    RunWatch(const Model& model, Functions functions, std::size_t most_bytes);

    // States go to the file; they are kept in memory only until there are enough of them to be worth a write.
    void write_to(TrajectoryFile file, RunLength length, KeptMemory memory = {});
    void attach_to(Integration& integration);

    void see(const Sample& sample) override;
    void happen(std::size_t event, bool rising, const Sample& sample) override;
    void save(std::span<const std::byte> memory, const Run& so_far) override;

    // After the run, with the GIL: completes the file, and the result. Throws what the callback or the progress
    // function threw, unless it was a keyboard interrupt.
    void finish(RunResult& result);
    // Instead of finish() if the run has thrown: closes the file, and keeps what was recorded. Throws nothing.
    void break_off(RunResult& result);
    // What ends the run.
    StopSignal& stop() { return stop_; }

    std::shared_ptr<Recording> recording;

  private:
    void flush();
    void ask(const Sample& sample);
    void report(const Progress& progress);
    void fail(pybind11::error_already_set& error);

    Functions functions_;
    std::vector<pybind11::str> observable_names_;
    std::size_t most_bytes_, most_rows_;
    std::optional<TrajectoryRecorder> file_;
    std::size_t block_rows_ = 0;
    std::size_t rows_in_file_ = 0, events_ = 0;
    EventRecorder events_to_write_;
    KeptMemory memory_;
    StopSignal stop_;
    std::optional<pybind11::error_already_set> error_;
    bool ended_ = false;  // the callback wants no more
    bool full_ = false;
};

}  // namespace libration::python
