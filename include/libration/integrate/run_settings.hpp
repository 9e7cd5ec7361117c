// From what somebody asks of a run to the settings of the run: the one way, for every face and for files.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/model/model.hpp>
#include <libration/request/run_request.hpp>

namespace [[gnu::visibility("default")]] libration {

// Everything that decides the bits of a run.
struct RunSettings {
    Model model;
    // What was asked for, completed by [run] of the model and by defaults: method, step and length are there. Files
    // keep it.
    RunRequest request;
    IntegrationOptions options;  // the same, for the loop

    [[nodiscard]] const std::string& method() const { return *request.method; }
};

// InputError where something is missing, contradicts something else, or is not what it must be.
RunSettings resolve(Model model, RunRequest request);

// A restart: what is asked again must agree with what the file keeps. `path`: of the file, for messages.
void require_same(const RunRequest& kept, const RunRequest& asked, const std::string& path);

// [run] of the model where nothing is asked; of duration and steps each replaces both.
void take_from_model(RunRequest& request, const Model& model);
// The same, then defaults: the method is one that can run the model. InputError where step or length are missing.
void complete(RunRequest& request, const Model& model);

// auto, where nothing is given.
Backend backend_named(const std::optional<std::string>& name);
// One per core, where nothing is given. InputError if it is not from 1 to 1024.
unsigned thread_count(const std::optional<std::int64_t>& asked);

}  // namespace libration
