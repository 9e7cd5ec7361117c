// What a run or an ensemble takes from [run] of its model where its caller says nothing, and options that are given as words.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/model/model.hpp>

namespace libration {

// What overrides [run].
struct GivenRun {
    std::optional<std::string> method;
    std::optional<double> step, duration;
    std::optional<std::int64_t> steps;
};

std::string method_for(const Model& model, const GivenRun& given);
// Step and length; `steps` and `duration` each replace both. InputError if one is missing.
void set_times(const Model& model, const GivenRun& given, IntegrationOptions& options);
// auto, where nothing is given.
Backend backend_named(const std::optional<std::string>& name);
// One a core, where nothing is given. InputError if it is not from 1 to 1024.
unsigned thread_count(const std::optional<std::int64_t>& asked);

// Steps that choose their length, as words.
struct GivenAdaptive {
    std::optional<std::string> control, estimator;
    std::optional<double> tolerance;
};
// Nothing where no control is given. InputError for words that are incomplete or unknown.
std::optional<AdaptiveOptions> adaptive_options(const GivenAdaptive& given);

}  // namespace libration
