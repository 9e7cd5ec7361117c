// The outcome of a run as named values, and back: the one description from which JSON, Python's summary and what files
// keep come.
#pragma once

#include <libration/integrate/events.hpp>
#include <libration/integrate/run.hpp>
#include <libration/result/record.hpp>

namespace libration {

Record record_of(const Run& run);
// With the states of its events, `event_states`, as they are shown.
Record record_of(const Run& run, const EventRecorder& events);
// FileError if the record is not one of a run.
Run run_of(const Record& record);

Record record_of(const RunFailure& failure);
Record record_of(const EvaluationCounts& counts);
Record record_of(const StartChange& change);

// The inverse of to_string. FileError for other names.
RunStatus status_named(std::string_view name);

}  // namespace libration
