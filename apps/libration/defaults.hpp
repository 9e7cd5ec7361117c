// What `run` and `ensemble` take from [run] of the model where the command line says nothing.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/model/model.hpp>

namespace libration::app {

// The words of a command line that override [run].
struct GivenRun {
    std::optional<std::string> method;
    std::optional<double> step, duration;
    std::optional<std::int64_t> steps;
};

std::string method_for(const Model& model, const GivenRun& given);
// Step and length; --steps and --duration each replace both. InputError if one is missing.
void set_times(const Model& model, const GivenRun& given, IntegrationOptions& options);
// auto, where nothing is given.
Backend backend_named(const std::optional<std::string>& name);

}  // namespace libration::app
