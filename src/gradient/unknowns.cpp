// Names to unknowns.
#include "unknowns.hpp"

#include "model/model_values.hpp"
#include "model/overrides.hpp"
#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

double value_of(const Model& model, const Parameter& parameter) {
    const auto given = parameter_values<double>(model);
    const auto found = std::ranges::find(given.symbols, symbol(parameter.name));
    return given.values[static_cast<std::size_t>(found - given.symbols.begin())];
}

// A number of parts, an index, the bound of a sum: with a slightly larger value there is no such model.
bool decides_sizes(const Model& model, const Parameter& parameter) {
    if (!parameter.read_as_number) {
        return false;
    }
    const double value = value_of(model, parameter);
    const double close = value == 0 ? 1e-9 : value * (1 + 1e-9);
    try {
        const auto near = model.with({{parameter.name, fmt::format("{}", close)}});
        return near.dimension != model.dimension || near.constraint_rows != model.constraint_rows;
    } catch (const InputError&) {
        return true;
    }
}

// How [spark] mixes coefficients is a choice of the method, which is not differentiated.
bool mixes_methods(const Model& model, const Parameter& parameter) {
    const std::array symbols{symbol(parameter.name)};
    return std::ranges::any_of(model.treatment.choices, [&](const auto& choice) {
        return std::ranges::any_of(choice.weights, [&](const Expression& w) { return depends_on(w, symbols); });
    });
}

std::string parameter_fault(const Model& model, const Parameter& parameter) {
    if (parameter.list || parameter.function_of_index) {
        return "it is a list; derivatives are by scalar parameters and initial values";
    }
    if (mixes_methods(model, parameter)) {
        return "it chooses the coefficients of the method, by which nothing is differentiated";
    }
    if (decides_sizes(model, parameter)) {
        return "it decides how many parts the model has, or which, so that there is no derivative";
    }
    return {};
}

Unknown initial_value(const Model& model, const std::string& name, const InitialTarget& target) {
    using Kind = Unknown::Kind;
    const auto kind = target.kind == InitialValue::Kind::position   ? Kind::position
                      : target.kind == InitialValue::Kind::momentum ? Kind::momentum
                                                                    : Kind::velocity;
    if (model.field && kind == Kind::momentum) {
        throw InputError({.argument = "by", .value = name, .problem = "a field has no momenta; use v_ instead"});
    }
    if (model.field && model.field->v.empty() && kind == Kind::velocity) {
        throw InputError({.argument = "by", .value = name, .problem = "velocities of this field follow from q"});
    }
    return {name, kind, target.coordinate};
}

Unknown unknown_of(const Model& model, const std::string& name) {
    const auto parameter = std::ranges::find(model.parameters, name, &Parameter::name);
    if (parameter != model.parameters.end()) {
        if (const auto fault = parameter_fault(model, *parameter); !fault.empty()) {
            throw InputError({.argument = "by", .value = name, .problem = fault});
        }
        return {name, Unknown::Kind::parameter, static_cast<std::size_t>(parameter - model.parameters.begin())};
    }
    if (const auto target = initial_target(model, name)) {
        return initial_value(model, name, *target);
    }
    std::vector<std::string> known;
    for (const auto& other : model.parameters) {
        known.push_back(other.name);
    }
    constexpr std::size_t most = 100;
    for (std::size_t k = 0; k < std::min(model.dimension, most); ++k) {
        known.push_back(model.coordinate_name(k));
    }
    throw InputError(
        {.argument = "by",
         .value = name,
         .problem = fmt::format("the model has no parameter '{}'{}\nDerivatives are by parameters and by initial "
                                "values: NAME, p_NAME or v_NAME of a coordinate.",
                                name, suggestion(name, known))});
}

}  // namespace

std::vector<Unknown> unknowns_of(const Model& model, const std::vector<std::string>& names) {
    std::vector<Unknown> unknowns;
    for (const auto& name : names) {
        if (std::ranges::find(unknowns, name, &Unknown::name) != unknowns.end()) {
            throw InputError({.argument = "by", .value = name, .problem = "it is there twice"});
        }
        unknowns.push_back(unknown_of(model, name));
    }
    if (!names.empty()) {
        return unknowns;
    }
    for (std::size_t k = 0; k < model.parameters.size(); ++k) {
        const auto& parameter = model.parameters[k];
        const bool number = !parameter.list && !parameter.function_of_index && symbols_of(parameter.values).empty();
        if (number && parameter_fault(model, parameter).empty()) {
            unknowns.push_back({parameter.name, Unknown::Kind::parameter, k});
        }
    }
    if (unknowns.empty()) {
        throw InputError("the model has no scalar parameter to differentiate by; name initial values, `by = x,v_x`");
    }
    return unknowns;
}

}  // namespace libration
