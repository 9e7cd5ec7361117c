// What `libration run` keeps of events: their states for --json, a file for --events-out.
#pragma once

#include <libration/integrate/events.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/io/csv.hpp>
#include <libration/io/trajectory_recorder.hpp>

#include <optional>

namespace libration::app {

class EventOutput {
  public:
    // Opens the file. InputError where a file is wanted but there is no event.
    EventOutput(const RunSettings& settings, const RunRequest& request);
    // Before the run goes on from a file: the events that happened already.
    void take_from(const TrajectoryFile& file);
    void attach(Integration& integration);
    // The run is over.
    void finish();
    [[nodiscard]] const EventRecorder& states() const { return states_; }

  private:
    bool wants_states_ = false;
    std::size_t most_numbers_;
    EventRecorder states_;
    std::optional<EventsFile> file_;
};

}  // namespace libration::app
