// Parameters and those that follow from them.
#include "shifted_parameters.hpp"

#include <algorithm>

namespace libration {

ShiftedParameters::ShiftedParameters(const Model& model, std::span<const std::string> names,
                                     std::span<const Expression> changes) {
    for (const auto& parameter : model.parameters) {
        if (parameter.function_of_index) {
            continue;  // formulas hold what it says
        }
        if (parameter.list) {
            if (std::ranges::any_of(parameter.values, [&](const Expression& value) { return affects(value); })) {
                lists_.insert(parameter.name);
            }
            continue;
        }
        const auto asked = std::ranges::find(names, parameter.name);
        const bool follows = affects(parameter.values[0]);
        if (asked == names.end() && !follows) {
            continue;
        }
        auto value = follows ? apply(parameter.values[0]) : symbol(parameter.name);
        if (asked != names.end()) {
            value += changes[static_cast<std::size_t>(asked - names.begin())];
        }
        symbols_.push_back(symbol(parameter.name));
        by_.push_back(value);
    }
}

bool ShiftedParameters::affects_instances(const Formula& formula) const {
    return std::ranges::any_of(formula.parameters, [&](const InstanceParameter& parameter) {
        return parameter.kind == InstanceParameter::Kind::sum ? affects(parameter.sum->summand)
                                                              : lists_.contains(parameter.list);
    });
}

bool ShiftedParameters::affects(const Formula& formula) const {
    return affects(formula.kernel) || affects_instances(formula);
}

}  // namespace libration
