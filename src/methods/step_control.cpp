// Which methods support adaptive step sizes, and how.
#include "step_control.hpp"
#include <libration/kit/method_record.hpp>

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <array>
#include <vector>

namespace libration {

namespace {

using Control = AdaptiveOptions::Control;
using Estimator = AdaptiveOptions::Estimator;

constexpr std::array<std::string_view, 2> control_names{"reversible", "standard"};
constexpr std::array<std::string_view, 2> estimator_names{"symmetric", "antisymmetric"};

std::size_t find_name(std::span<const std::string_view> names, std::string_view argument, std::string_view text) {
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (names[k] == text) {
            return k;
        }
    }
    throw InputError({.argument = std::string(argument),
                      .value = std::string(text),
                      .problem = fmt::format("it must be {} or {}", names[0], names[1])});
}

constexpr std::string_view use_instead = "use lobatto(s), spark(s), or without constraints gauss(s) or midpoint";

// Empty: it can.
std::string why_not(const Method& method, const SystemProperties& properties, std::size_t constraints) {
    if (method.lag() > 0 || method.record().periodicity != nullptr) {
        return "its formulas couple several steps, which must have the same size";
    }
    if (method.spec().name == "compose") {
        return "the substeps of a composition are fixed fractions of the step, and there is no error estimate for the "
               "whole step";
    }
    if (method.record().error_nodes == nullptr) {
        return "it has no error estimate";
    }
    const auto claims = method.claims(properties, constraints);
    if (claims.order < 1 || !claims.symmetric) {
        return "with constraints it is not symmetric and does not converge";
    }
    return {};
}

}  // namespace

std::string_view name(Control control) { return control_names[static_cast<std::size_t>(control)]; }
std::string_view name(Estimator estimator) { return estimator_names[static_cast<std::size_t>(estimator)]; }
Control control_named(std::string_view name) {
    return static_cast<Control>(find_name(control_names, "adaptive", name));
}
Estimator estimator_named(std::string_view name) {
    return static_cast<Estimator>(find_name(estimator_names, "estimator", name));
}

StepControl step_control(const Method& method, const SystemProperties& properties, std::size_t constraints,
                         const AdaptiveOptions& options) {
    if (!(options.tolerance >= 1e-16 && options.tolerance < 1)) {
        throw InputError(fmt::format(
            "`tol = {}`: it must be a number between 1e-16, which is round-off, and 1, e.g. 1e-8", options.tolerance));
    }
    if (const auto reason = why_not(method, properties, constraints); !reason.empty()) {
        throw InputError(fmt::format("{} does not support an adaptive step size (`adaptive`): {}; {}", method.name(),
                                     reason, use_instead));
    }
    const auto nodes = method.record().error_nodes(method.spec());
    StepControl control{options, {}, 0};
    control.options.estimator =
        options.estimator.value_or(nodes.size() == 2 ? Estimator::antisymmetric : Estimator::symmetric);
    if (nodes.size() == 2 && control.options.estimator == Estimator::symmetric) {
        throw InputError(fmt::format("{} has two stages, and only an antisymmetric error estimate; omit "
                                     "`estimator`, or use three stages",
                                     method.name()));
    }
    control.estimate = error_weights(nodes, control.options.estimator == Estimator::symmetric ? Parity::symmetric
                                                                                              : Parity::antisymmetric);
    const int order = method.claims(properties, constraints).order;
    control.target =
        pow(options.tolerance, static_cast<double>(control.estimate.order + 1) / static_cast<double>(order + 1));
    return control;
}

}  // namespace libration
