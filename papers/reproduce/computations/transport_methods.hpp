// What the computations of transported sets have in common: `methods`, their `step`, and `flow` with `flow_step`.
#pragma once

#include "reproduce/computation.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace libration {

// Calls pictures.carry(key, specification, step, steps) for the exact flow, if there is one, and for methods 1, 2, ...
// Returns the steps of the methods.
template <class Pictures>
std::vector<double> carry_by_all_methods(const ComputationArguments& arguments, const std::string& what,
                                         Pictures& pictures) {
    const auto methods = arguments.texts("methods");
    auto lengths = arguments.numbers("step");
    if (methods.empty() || pictures.steps().size() < 2 || (lengths.size() != 1 && lengths.size() != methods.size())) {
        throw InputError(fmt::format("'{}' needs methods, their step size (one, or one per method), and steps", what));
    }
    const double only = lengths[0];
    lengths.resize(methods.size(), only);
    if (arguments.has("flow")) {
        const double fine = arguments.number("flow_step");
        const double ratio = lengths[0] / fine;
        if (!(ratio >= 1) || std::abs(ratio - std::round(ratio)) > 1e-9 * ratio) {
            throw InputError("'flow_step' must divide the step of the first method");
        }
        auto steps = pictures.steps();
        for (auto& n : steps) {
            n *= std::llround(ratio);
        }
        pictures.carry("flow", arguments.text("flow"), fine, steps);
    }
    for (std::size_t k = 0; k < methods.size(); ++k) {
        pictures.carry(std::to_string(k + 1), methods[k], lengths[k], pictures.steps());
    }
    return lengths;
}

}  // namespace libration
