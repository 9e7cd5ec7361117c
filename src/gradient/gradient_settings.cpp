// In the words of the arguments, as far as there are some.
#include "gradient_settings.hpp"

#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace libration {

namespace {

// Numbers read back as they are.
std::string exact(double value) { return fmt::format("{}", value); }

template <class T>
std::string exact(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : "not given";
}

std::string text_of(const Measurements& data) {
    std::string text = fmt::format("{}\n", fmt::join(data.t, " "));
    for (const auto& column : data.columns) {
        text += fmt::format("{}\n{}\n{}\n", column.formula, fmt::join(column.values, " "), fmt::join(column.sd, " "));
    }
    return text;
}

std::string text_of(std::span<const Event> events) {
    std::string text;
    for (const auto& event : events) {
        text += fmt::format("{}: {}, {}{}\n", event.name, to_string(event.value), static_cast<int>(event.direction),
                            event.terminal ? ", terminal" : "");
    }
    return text;
}

std::string text_of(std::span<const Derivative> direction) {
    std::string text;
    for (const auto& [name, size] : direction) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, size);
    }
    return text;
}

std::string text_of(Backend backend) {
    return backend == Backend::automatic ? "auto" : backend == Backend::generated ? "generated" : "interpreted";
}

std::string text_of(const AdaptiveOptions& adaptive) {
    return adaptive.control == AdaptiveOptions::Control::reversible ? "reversible" : "standard";
}

std::string estimator_in(const IntegrationOptions& run) {
    const auto given = run.adaptive ? run.adaptive->estimator : std::nullopt;
    return !given ? "not given" : *given == AdaptiveOptions::Estimator::symmetric ? "symmetric" : "antisymmetric";
}

}  // namespace

GradientSettings gradient_settings(const Model& model, const Method& method, const GradientOptions& options,
                                   bool matrix) {
    if (model.external) {
        throw InputError({.argument = "checkpoint",
                          .problem = "functions of this model are written in another language; they cannot be compared "
                                     "with those of the file",
                          .remedy = "omit it"});
    }
    const auto& run = options.run;
    return {{"task", matrix ? "jacobian" : "gradient"},
            {"model", fmt::format("{}\n{}\n{}", model.name, model.saved_text(), model.overrides)},
            {"method", method.name()},
            {"step", exact(run.step)},
            {"duration", exact(run.duration)},
            {"steps", exact(run.steps)},
            {"start_time", exact(run.start_time)},
            {"adaptive", run.adaptive ? text_of(*run.adaptive) : "not given"},
            {"tol", run.adaptive ? exact(run.adaptive->tolerance) : "not given"},
            {"estimator", estimator_in(run)},
            {"event", text_of(run.events)},
            {"project", run.project ? "given" : "not given"},
            {"backend", text_of(run.backend)},
            {"loss", options.loss},
            {"data", options.data ? text_of(*options.data) : "not given"},
            {"by", fmt::format("{}", fmt::join(options.by, ","))},
            {"hessian_along", text_of(options.hessian_along)},
            {"mode", to_string(options.mode)}};
}

}  // namespace libration
