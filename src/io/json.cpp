// Runs, ensembles, methods and problems as JSON.
#include "json_ensemble.hpp"
#include "json_parts.hpp"
#include "json_registry.hpp"

#include <libration/io/json.hpp>

#include <nlohmann/json.hpp>

namespace libration {

namespace {

using Json = nlohmann::ordered_json;
using RunParts = JsonParts<Json>;

Json json_of_events(const std::vector<EventSummary>& events) {
    Json json = Json::object();
    for (const auto& event : events) {
        const bool happened = event.count > 0;
        json[event.name] = {{"count", event.count},
                            {"first", happened ? RunParts::number(event.first) : Json(nullptr)},
                            {"last", happened ? RunParts::number(event.last) : Json(nullptr)},
                            {"smallest", RunParts::number(event.smallest)},
                            {"largest", RunParts::number(event.largest)}};
    }
    return json;
}

// Null where they were too many.
Json json_of_states(const Run& run, const EventRecorder& events) {
    if (!events.complete) {
        return nullptr;
    }
    Json json = Json::array();
    for (const auto& state : events.states) {
        json.push_back({{"name", run.events[state.event].name},
                        {"t", RunParts::number(state.t)},
                        {"rising", state.rising},
                        {"q", RunParts::list(state.q, true)},
                        {"p", RunParts::list(state.p, true)},
                        {"v", RunParts::list(state.v, true)},
                        {"lambda", RunParts::list(state.lambda, true)}});
    }
    return json;
}

}  // namespace

std::string json_of(const Run& run, bool full) { return json_of(run, EventRecorder(), full); }

std::string json_of(const Run& run, const EventRecorder& events, bool full) {
    Json json;
    json["model"] = run.model;
    json["method"] = run.method;
    json["order"] = run.order;
    json["step"] = RunParts::number(run.step);
    json["steps"] = run.steps;
    json["t"] = RunParts::number(run.t);
    json["status"] = to_string(run.status);
    if (run.failure) {
        json["failure"] = RunParts::failure(*run.failure);
    }
    json["q"] = RunParts::list(run.q, full);
    json["p"] = RunParts::list(run.p, full);
    json["v"] = RunParts::list(run.v, full);
    json["lambda"] = RunParts::list(run.lambda, full);
    json["seconds"] = RunParts::number(run.seconds);
    json["setup_seconds"] = RunParts::number(run.setup_seconds);
    json["energy"] = {{"initial", RunParts::number(run.energy.initial)},
                      {"final", RunParts::number(run.energy.final)},
                      {"final_error", RunParts::number(run.energy.final_error)},
                      {"max_error", RunParts::number(run.energy.max_error)},
                      {"conserved", run.energy.conserved}};
    json["constraint"] = {{"max", RunParts::number(run.constraint.max)},
                          {"hidden_max", RunParts::number(run.constraint.hidden_max)},
                          {"max_floors", RunParts::number(run.constraint.max_floors)}};
    if (const auto& asked = run.adaptive.options) {
        json["adaptive"] = {{"control", name(asked->control)},
                            {"tol", RunParts::number(asked->tolerance)},
                            {"estimator", name(*asked->estimator)},
                            {"smallest_step", RunParts::number(run.adaptive.smallest)},
                            {"largest_step", RunParts::number(run.adaptive.largest)},
                            {"rejected", run.adaptive.rejected}};
    }
    json["invariants"] = Json::object();
    for (const auto& invariant : run.invariants) {
        json["invariants"][invariant.name] = {{"initial", RunParts::number(invariant.initial)},
                                              {"final", RunParts::number(invariant.final)},
                                              {"max_error", RunParts::number(invariant.max_error)}};
    }
    if (!run.events.empty()) {
        json["events"] = json_of_events(run.events);
        json["event_states"] = json_of_states(run, events);
    }
    json["evaluations"] = RunParts::counts(run.evaluations);
    json["backend"] = {{"name", run.backend.name}, {"reason", run.backend.reason}};
    return RunParts::text(json);
}

std::string json_of(const EnsembleResult& result, bool full) {
    return RunParts::text(EnsembleJson<Json>::of(result, full ? result.trajectories.size() + result.times.size()
                                                              : RunParts::longest_array));
}

std::string json_of_methods() { return RunParts::text(RegistryJson<Json>::methods()); }
std::string json_of(const Method& method) { return RunParts::text(RegistryJson<Json>::of(method)); }
std::string json_of_problems() { return RunParts::text(RegistryJson<Json>::problems()); }
std::string json_of_problem(std::string_view name) { return RunParts::text(RegistryJson<Json>::problem(name)); }

}  // namespace libration
