// Parameters and those that follow from them.
#include "shifted_parameters.hpp"

#include <algorithm>

namespace libration {

ShiftedParameters::ShiftedParameters(const Model& model, ThetaCoordinates& theta) : model_(&model), theta_(&theta) {
    for (const auto& parameter : model.parameters) {
        if (parameter.function_of_index) {
            continue;  // formulas hold what it says
        }
        if (parameter.list) {
            if (std::ranges::any_of(parameter.values, [&](const Expression& value) { return affects(value); })) {
                following_.insert(parameter.name);
            }
            continue;
        }
        const auto coordinate = theta.of_scalar(parameter.name);
        const bool follows = affects(parameter.values[0]);
        if (!coordinate && !follows) {
            continue;
        }
        auto value = follows ? apply(parameter.values[0]) : symbol(parameter.name);
        if (coordinate) {
            value += theta.change(*coordinate);
        }
        symbols_.push_back(symbol(parameter.name));
        by_.push_back(value);
    }
}

bool ShiftedParameters::affects_singly(const Formula& formula) const {
    return std::ranges::any_of(formula.parameters, [&](const InstanceParameter& parameter) {
        return parameter.kind == InstanceParameter::Kind::sum ? affects(parameter.sum->summand)
                                                              : following_.contains(parameter.list);
    });
}

bool ShiftedParameters::affects(const Formula& formula) const {
    return affects(formula.kernel) || affects_singly(formula) ||
           std::ranges::any_of(formula.parameters, [&](const InstanceParameter& parameter) {
               return parameter.kind == InstanceParameter::Kind::element && theta_->has_list(parameter.list);
           });
}

Expression ShiftedParameters::element(const std::string& list, std::int64_t number) const {
    const auto& values = std::ranges::find(model_->parameters, list, &Parameter::name)->values;
    auto value = apply(values[static_cast<std::size_t>(number)]);
    if (theta_->has_list(list)) {
        value += theta_->change(theta_->of_element(list, number));
    }
    return value;
}

Expression ShiftedParameters::instance(const Formula& formula, std::size_t k) const {
    std::vector<Expression> from(symbols_), to(by_);
    for (const auto& parameter : formula.parameters) {
        Expression value;
        switch (parameter.kind) {
            case InstanceParameter::Kind::index: value = ratio(parameter.integers[k], 1); break;
            case InstanceParameter::Kind::element: value = element(parameter.list, parameter.integers[k]); break;
            case InstanceParameter::Kind::sum: {
                const auto& sum = *parameter.sum;
                std::int64_t first = 0;
                for (std::size_t j = 0; !sum.running && j < k; ++j) {
                    first += sum.count[j];
                }
                for (std::int64_t j = 0; j < sum.count[k]; ++j) {
                    value += instance(sum.summand, static_cast<std::size_t>(first + j));
                }
                break;
            }
        }
        from.push_back(parameter.symbol);
        to.push_back(value);
    }
    return substitute(formula.kernel, from, to);
}

}  // namespace libration
