// Events and given times of `libration run`.
#include "event_output.hpp"

#include <libration/text/error.hpp>

#include <limits>

namespace libration::app {

namespace {

constexpr std::size_t most_numbers = 10'000;  // in JSON without --full

}  // namespace

EventOutput::EventOutput(const RunSettings& settings, const RunRequest& request)
    : most_numbers_(request.full ? std::numeric_limits<std::size_t>::max() : most_numbers), states_(most_numbers_) {
    const auto events = all_events(settings.model, settings.options.events);
    wants_states_ = request.json && !events.empty();
    if (!request.events_out) {
        return;
    }
    const auto& path = *request.events_out;
    const auto refuse = [&](std::string problem, std::string remedy = {}) {
        throw InputError(
            {.argument = "events_out", .value = path, .problem = std::move(problem), .remedy = std::move(remedy)});
    };
    if (request.out && *request.out == path) {
        refuse("`out` has the same name");
    }
    if (events.empty()) {
        refuse("there are no events", "add `events = EXPR`, or `[[events]]` in the model");
    }
    if (request.resume && !TrajectoryFile::open_read_only(*request.resume).keeps_events()) {
        refuse("the file of `resume` was written by an earlier version and does not contain the events before its "
               "checkpoint",
               "rerun from the beginning");
    }
    std::vector<std::string> names;
    for (const auto& event : events) {
        names.push_back(event.name);
    }
    file_.emplace(path, settings.model, std::move(names), request.overwrite);
}

void EventOutput::take_from(const TrajectoryFile& file) {
    if (file_) {
        for (const auto& state : read_events(file).states) {
            file_->happen(state.event, state.rising, state.sample());
        }
    }
    if (wants_states_) {
        states_ = read_events(file, most_numbers_);
    }
}

void EventOutput::attach(Integration& integration) {
    if (wants_states_) {
        integration.observe(states_);
    }
    if (file_) {
        integration.observe(*file_);
    }
}

void EventOutput::finish() {
    if (file_) {
        file_->finish();
    }
}

}  // namespace libration::app
