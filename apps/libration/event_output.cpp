// Events and given times of `libration run`.
#include "event_output.hpp"

#include <libration/integrate/output_times.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <limits>

namespace libration::app {

namespace {

constexpr std::size_t most_numbers = 10'000;  // in JSON without --full

}  // namespace

EventOutput::EventOutput(const RunSettings& settings, const RunArguments& arguments)
    : wants_states_(false), states_(arguments.full ? std::numeric_limits<std::size_t>::max() : most_numbers) {
    const auto events = all_events(settings.model, settings.options.events);
    wants_states_ = arguments.json && !events.empty();
    if (!arguments.events_out) {
        return;
    }
    const auto& path = *arguments.events_out;
    if (!path.ends_with(".csv")) {
        throw InputError(fmt::format("--events-out {}: the name must end in .csv", path));
    }
    if (arguments.out && *arguments.out == path) {
        throw InputError(fmt::format("--events-out {}: --out has the same name", path));
    }
    if (events.empty()) {
        throw InputError(fmt::format("--events-out {}: there are no events; add --event \"EXPR\", or [[events]] in the "
                                     "model",
                                     path));
    }
    if (arguments.resume) {
        throw InputError(
            "--events-out cannot go with --resume: the events before the checkpoint would be missing; run it "
            "again from the beginning");
    }
    std::vector<std::string> names;
    for (const auto& event : events) {
        names.push_back(event.name);
    }
    file_.emplace(path, settings.model, std::move(names), arguments.overwrite);
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

void read_events_and_times(const RunArguments& arguments, RunSettings& settings) {
    auto& options = settings.options;
    if (arguments.at) {
        if (arguments.every) {
            throw InputError(
                "--at and --every exclude each other: states are recorded at given times, or at every K-th "
                "step");
        }
        if (!arguments.out) {
            throw InputError("--at says at which times --out records; add --out FILE.csv or --out FILE.h5");
        }
        settings.at = *arguments.at;
        options.at = read_times(settings.at);
    }
    settings.events = arguments.events;
    for (const auto& text : settings.events) {
        options.events.push_back(read_event(settings.model, text, options.events.size() + 1));
    }
    if (!arguments.out && !arguments.every) {  // nobody looks at nodes
        options.every = std::numeric_limits<std::int64_t>::max();
    }
}

}  // namespace libration::app
