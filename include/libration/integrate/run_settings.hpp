// From a request to the settings of a run: the single path, for all interfaces and for files.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/model/model.hpp>
#include <libration/request/run_request.hpp>

namespace [[gnu::visibility("default")]] libration {

// Everything that determines the results of a run.
struct RunSettings {
    Model model;
    // The request, completed by [run] of the model and by defaults: method, step and length are set. Stored in
    // files.
    RunRequest request;
    IntegrationOptions options;  // the same, for the loop

    [[nodiscard]] const std::string& method() const { return *request.method; }
};

// InputError where something is missing, contradictory or invalid.
RunSettings resolve(Model model, RunRequest request);

// A restart: repeated options must agree with those stored in the file. `path`: of the file, for messages.
void require_same(const RunRequest& kept, const RunRequest& asked, const std::string& path);

// [run] of the model where the request has no value; duration and steps each replace both.
void take_from_model(RunRequest& request, const Model& model);
// The same, then defaults: the method is one that can run the model. InputError where step or length are missing.
void complete(RunRequest& request, const Model& model);

// auto, where nothing is given.
Backend backend_named(const std::optional<std::string>& name);
// One per core, where nothing is given. InputError if it is not from 1 to 1024.
unsigned thread_count(const std::optional<std::int64_t>& asked);

}  // namespace libration
