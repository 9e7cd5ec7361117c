// Names to unknowns.
#include "unknowns.hpp"

#include "model/model_values.hpp"
#include "model/overrides.hpp"
#include "model/separate_elements.hpp"
#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace libration {

namespace {

double value_of(const Model& model, const Parameter& parameter) {
    const auto given = parameter_values<double>(model);
    const auto found = std::ranges::find(given.symbols, symbol(parameter.name));
    return given.values[static_cast<std::size_t>(found - given.symbols.begin())];
}

// A number of parts, an index, the bound of a sum: with a slightly larger value there is no such model.
bool decides_sizes(const Model& model, const Parameter& parameter) {
    if (parameter.list) {
        return std::ranges::any_of(model.parameters, [&](const Parameter& other) {
            return other.read_as_number && other.name.starts_with(parameter.name + '[');
        });
    }
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

// Principal axes of a full inertia are computed as numbers when a model is read.
bool turns_principal_axes(const Model& model, const Parameter& parameter) {
    if (!parameter.read_as_number || parameter.list) {
        return false;
    }
    const double value = value_of(model, parameter);
    const auto near = model.with({{parameter.name, fmt::format("{}", value == 0 ? 1e-9 : value * (1 + 1e-9))}});
    return !std::ranges::equal(model.bodies, near.bodies,
                               [](const Body& a, const Body& b) { return a.d == b.d && a.principal == b.principal; });
}

// What `[assembly] snap` aligns is decided by numbers when a model is read: the axes of joints, and the points of
// hinges between the same bodies.
bool is_aligned(const Model& model, const Parameter& parameter) {
    if (!model.assembly || !model.assembly->snap || !parameter.read_as_number) {
        return false;
    }
    std::vector<Expression> symbols{symbol(parameter.name)};
    for (const auto& other : model.parameters) {  // each after those that it uses
        if (std::ranges::any_of(other.values, [&](const Expression& e) { return depends_on(e, symbols); })) {
            symbols.push_back(symbol(other.name));
        }
    }
    const auto follows = [&](const auto& vectors) {
        return std::ranges::any_of(vectors, [&](const auto& vector) {
            return std::ranges::any_of(vector, [&](const Expression& e) { return depends_on(e, symbols); });
        });
    };
    const auto bodies = [](const Joint& joint) { return std::minmax(joint.sides[0].body, joint.sides[1].body); };
    return std::ranges::any_of(model.joints, [&](const Joint& joint) {
        const bool has_parallel = std::ranges::any_of(model.joints, [&](const Joint& other) {
            return &other != &joint && other.given.axes.size() == 1 && bodies(other) == bodies(joint);
        });
        return follows(joint.given.axes) || (has_parallel && joint.given.axes.size() == 1 && follows(joint.given.at));
    });
}

// How [spark] mixes coefficients is a choice of the method, which is not differentiated.
bool mixes_methods(const Model& model, const Parameter& parameter) {
    std::vector<Expression> symbols{symbol(parameter.name)};
    for (const auto& other : model.parameters) {
        if (parameter.list && other.name.starts_with(parameter.name + '[')) {
            symbols.push_back(symbol(other.name));
        }
    }
    return std::ranges::any_of(model.treatment.choices, [&](const auto& choice) {
        return std::ranges::any_of(choice.weights, [&](const Expression& w) { return depends_on(w, symbols); });
    });
}

std::string parameter_fault(const Model& model, const Parameter& parameter) {
    if (mixes_methods(model, parameter)) {
        return "it chooses the coefficients of the method, by which nothing is differentiated";
    }
    if (decides_sizes(model, parameter)) {
        return "it decides how many parts the model has, or which, so that there is no derivative";
    }
    if (turns_principal_axes(model, parameter)) {
        return "the principal axes of a body are computed from it, by which nothing is differentiated; give the "
               "inertia "
               "of the body as three principal moments";
    }
    if (is_aligned(model, parameter)) {
        return "axes and points of joints that `[assembly] snap` aligns are computed from it, by which nothing is "
               "differentiated; give them with all digits, and remove 'snap'";
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
    return {name, kind, target.coordinate, std::nullopt};
}

// A scalar parameter, an element of a list, or all of them.
std::vector<Unknown> parameters_called(const Model& model, const std::string& name) {
    const auto element = element_of(model, name);
    const auto parameter = std::ranges::find(model.parameters, element ? element->list : name, &Parameter::name);
    if (parameter == model.parameters.end()) {
        return {};
    }
    if (const auto fault = parameter_fault(model, *parameter); !fault.empty()) {
        throw InputError({.argument = "by", .value = name, .problem = fault});
    }
    const auto number = static_cast<std::size_t>(parameter - model.parameters.begin());
    if (!parameter->list) {
        return {{name, Unknown::Kind::parameter, number, std::nullopt}};
    }
    const auto count = parameter->values.size();
    if (element && static_cast<std::size_t>(element->number) >= count) {
        throw InputError(
            {.argument = "by", .value = name, .problem = fmt::format("the list has elements 0 to {}", count - 1)});
    }
    std::vector<Unknown> all;
    all.reserve(element ? 1 : count);
    for (std::size_t k = 0; k < count; ++k) {
        if (!element || static_cast<std::size_t>(element->number) == k) {
            all.push_back(
                {element_name(parameter->name, static_cast<std::int64_t>(k)), Unknown::Kind::parameter, number, k});
        }
    }
    return all;
}

std::vector<Unknown> unknowns_called(const Model& model, const std::string& name) {
    if (auto found = parameters_called(model, name); !found.empty()) {
        return found;
    }
    if (const auto target = initial_target(model, name)) {
        return {initial_value(model, name, *target)};
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
    std::unordered_set<std::string> known;
    for (const auto& name : names) {
        for (auto& unknown : unknowns_called(model, name)) {
            if (!known.insert(unknown.name).second) {
                throw InputError({.argument = "by", .value = unknown.name, .problem = "it is there twice"});
            }
            unknowns.push_back(std::move(unknown));
        }
    }
    if (!names.empty()) {
        return unknowns;
    }
    for (std::size_t k = 0; k < model.parameters.size(); ++k) {
        const auto& parameter = model.parameters[k];
        const bool number = !element_of(model, parameter.name) && !parameter.list && !parameter.function_of_index &&
                            symbols_of(parameter.values).empty();
        if (number && parameter_fault(model, parameter).empty()) {
            unknowns.push_back({parameter.name, Unknown::Kind::parameter, k, std::nullopt});
        }
    }
    if (unknowns.empty()) {
        throw InputError("the model has no scalar parameter to differentiate by; name initial values, `by = x,v_x`");
    }
    return unknowns;
}

std::vector<DerivativeList> lists_among(const Model& model, const std::vector<std::string>& names) {
    std::vector<DerivativeList> lists;
    std::size_t first = 0;
    for (const auto& name : names) {
        const auto parameter = std::ranges::find(model.parameters, name, &Parameter::name);
        const bool list = parameter != model.parameters.end() && parameter->list;
        if (list) {
            lists.push_back({name, first, parameter->values.size()});
        }
        first += list ? parameter->values.size() : 1;
    }
    return lists;
}

std::optional<Model> with_separate_lists(const Model& model, const std::vector<std::string>& names,
                                         const std::function<void()>& read_formulas) {
    std::vector<std::string> lists, changing;
    for (const auto& name : names) {
        const auto element = element_of(model, name);
        const auto parameter = std::ranges::find(model.parameters, element ? element->list : name, &Parameter::name);
        if (parameter == model.parameters.end()) {
            continue;
        }
        changing.push_back(parameter->name);
        if ((parameter->list || parameter->function_of_index) &&
            std::ranges::find(lists, parameter->name) == lists.end()) {
            lists.push_back(parameter->name);
        }
    }
    return lists.empty() ? std::nullopt : std::optional(with_separate_elements(model, lists, changing, read_formulas));
}

}  // namespace libration
