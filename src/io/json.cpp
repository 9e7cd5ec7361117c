// Runs, ensembles, methods and problems as JSON.
#include "json_parts.hpp"
#include "json_registry.hpp"

#include <libration/io/json.hpp>

#include "ensemble/ensemble_record.hpp"
#include "gradient/gradient_record.hpp"
#include "integrate/run_record.hpp"

#include <nlohmann/json.hpp>

#include <limits>

namespace libration {

namespace {

using Json = nlohmann::ordered_json;
using RunParts = JsonParts<Json>;

}  // namespace

std::string json_of(const Run& run, bool full) { return json_of(run, EventRecorder(), full); }

std::string json_of(const Run& run, const EventRecorder& events, bool full) {
    return RunParts::text(RunParts::record(record_of(run, events), full));
}

std::string json_of(const EnsembleResult& result, bool full) {
    const auto longest = full ? std::numeric_limits<std::size_t>::max() : RunParts::longest_array;
    return RunParts::text(RunParts::record(record_of(result, longest), true));
}

std::string json_of(const Gradient& gradient, bool full) {
    return RunParts::text(RunParts::record(record_of(gradient), full));
}

std::string json_of(const Choice& choice) { return RunParts::text(RunParts::record(record_of(choice), true)); }

std::string json_of_methods() { return RunParts::text(RegistryJson<Json>::methods()); }
std::string json_of(const Method& method) { return RunParts::text(RegistryJson<Json>::of(method)); }
std::string json_of_problems() { return RunParts::text(RegistryJson<Json>::problems()); }
std::string json_of_problem(std::string_view name) { return RunParts::text(RegistryJson<Json>::problem(name)); }

}  // namespace libration
