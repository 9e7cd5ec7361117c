// Results as JSON: one object, shortest numbers that read back to the same double, null for what is not finite.
#pragma once

#include <libration/choose/choose.hpp>
#include <libration/ensemble/ensemble.hpp>
#include <libration/gradient/gradient.hpp>
#include <libration/integrate/events.hpp>
#include <libration/integrate/run.hpp>

#include <string>

namespace [[gnu::visibility("default")]] libration {

// Arrays longer than 10,000 entries are omitted (null) without `full`.
std::string json_of(const Run& run, bool full = false);
// With the states of its events.
std::string json_of(const Run& run, const EventRecorder& events, bool full = false);
// Likewise lists of more than 10,000 trajectories or times.
std::string json_of(const EnsembleResult& result, bool full = false);
std::string json_of(const Gradient& gradient, bool full = false);
std::string json_of(const Choice& choice);
std::string json_of_methods();
// One specification, with the reservations of its record, even if they were accepted.
std::string json_of(const Method& method);
std::string json_of_problems();
// One of them, by an existing name, with the text of its file.
std::string json_of_problem(std::string_view name);

}  // namespace libration
