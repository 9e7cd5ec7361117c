// Names to parameters and initial values.
#include "varied_model.hpp"

#include "model/model_values.hpp"
#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

using InitialKind = InitialValue::Kind;

std::vector<std::string> known_names(const Model& model) {
    std::vector<std::string> names;
    for (const auto& parameter : model.parameters) {
        if (!parameter.list && !parameter.function_of_index) {
            names.push_back(parameter.name);
        }
    }
    for (std::size_t k = 0; k < std::min<std::size_t>(model.dimension, 100); ++k) {
        for (const char* prefix : {"", "p_", "v_"}) {
            names.push_back(prefix + model.coordinate_name(k));
        }
    }
    return names;
}

bool gives(const Model& model, InitialKind kind, std::size_t coordinate) {
    return std::ranges::any_of(model.initial, [&](const InitialValue& block) {
        return block.kind == kind && std::ranges::find(block.coordinates, coordinate) != block.coordinates.end();
    });
}

}  // namespace

VariedModel::VariedModel(const Model& base, const VariedValues& values)
    : base_(&base), lane_model_(&base), values_(&values) {
    for (std::size_t k = 0; k < values.names.size(); ++k) {
        const auto& name = values.names[k];
        if (std::find(values.names.begin(), values.names.begin() + static_cast<std::ptrdiff_t>(k), name) !=
            values.names.begin() + static_cast<std::ptrdiff_t>(k)) {
            throw InputError(fmt::format("'{}' is varied twice; give it once", name));
        }
        targets_.push_back(find(name));
        if (targets_.back().parameter) {
            parameters_vary_ = true;
            refuse_shape(name);
            if (!base.text.empty() && base.parameters[targets_.back().number].read_as_number) {
                equations_.emplace(base, ShapeOf::equations);
            }
        }
    }
}

VariedModel::Target VariedModel::find(const std::string& name) const {
    if (std::ranges::find(base_->overrides, name, [](const auto& pair) { return pair.first; }) !=
        base_->overrides.end()) {
        throw InputError(fmt::format("'{}' is both set and varied; omit one of the two", name));
    }
    const auto parameter = std::ranges::find(base_->parameters, name, &Parameter::name);
    if (parameter != base_->parameters.end()) {
        if (parameter->list || parameter->function_of_index) {
            throw InputError(fmt::format("'{}' is a list; only scalar parameters can be varied", name));
        }
        return {true, static_cast<std::size_t>(parameter - base_->parameters.begin()), InitialKind::position};
    }
    if (const auto k = base_->coordinate_number(name)) {
        return {false, *k, InitialKind::position};
    }
    for (const auto& [prefix, kind, other] : {std::tuple("p_", InitialKind::momentum, InitialKind::velocity),
                                              std::tuple("v_", InitialKind::velocity, InitialKind::momentum)}) {
        const auto k = name.starts_with(prefix) ? base_->coordinate_number(name.substr(2)) : std::nullopt;
        if (k && gives(*base_, other, *k)) {
            throw InputError(fmt::format("the model starts {0} with a {1}; vary {2}{0} instead of '{3}'",
                                         base_->coordinate_name(*k),
                                         other == InitialKind::momentum ? "momentum" : "velocity",
                                         other == InitialKind::momentum ? "p_" : "v_", name));
        }
        if (k) {
            return {false, *k, kind};
        }
    }
    throw InputError(fmt::format("'{}' is neither a parameter nor an initial value of the model{}", name,
                                 suggestion(name, known_names(*base_))));
}

// Principal axes of a full inertia are numbers of the model, which its members share.
bool VariedModel::turns_axes(const std::string& name, double value) const {
    try {
        const auto near = base_->with({{name, fmt::format("{}", value == 0 ? 1e-9 : value * (1 + 1e-9))}});
        return !std::ranges::equal(base_->bodies, near.bodies, [](const Body& a, const Body& b) {
            return a.kind != b.kind || (a.d == b.d && a.principal == b.principal);
        });
    } catch (const InputError&) {
        return false;  // a count: the next number shows it
    }
}

// A parameter that counts something: with the next number the model has another shape.
void VariedModel::refuse_shape(const std::string& name) const {
    if (base_->text.empty() || !std::ranges::find(base_->parameters, name, &Parameter::name)->read_as_number) {
        return;
    }
    const auto given = parameter_values<double>(*base_);
    const auto at = std::ranges::find(given.symbols, symbol(name)) - given.symbols.begin();
    const double value = given.values[static_cast<std::size_t>(at)];
    if (turns_axes(name, value)) {
        throw InputError(
            fmt::format("the principal axes of a body are computed from the parameter '{}', which cannot be "
                        "varied; use `set = {}=VALUE`, one ensemble per value",
                        name, name));
    }
    const ModelShape shape(*base_, ShapeOf::start);
    for (const double change : {1.0, -1.0}) {
        const auto next = fmt::format("{}", given.values[static_cast<std::size_t>(at)] + change);
        try {
            if (ModelShape(base_->with({{name, next}}), ShapeOf::start) == shape) {
                continue;
            }
        } catch (const InputError&) {
            continue;  // a number that the model refuses shows nothing
        }
        throw InputError(fmt::format("the parameter '{}' determines the size or the connectivity of the model and "
                                     "cannot be varied; use `set = {}=VALUE`, one ensemble per value",
                                     name, name));
    }
}

// Only parameters that are read as numbers can change formulas: `[assembly] snap` aligns a joint or not.
bool VariedModel::has_equations_of_base(const Model& member) const {
    return !equations_ || *equations_ == ModelShape(member.with_all_rows(), ShapeOf::equations);
}

Model VariedModel::of(std::size_t trajectory) const {
    std::vector<std::pair<std::string, std::string>> parameters;
    for (std::size_t k = 0; k < targets_.size(); ++k) {
        if (targets_[k].parameter) {
            parameters.emplace_back(values_->names[k], fmt::format("{}", values_->at(trajectory, k)));
        }
    }
    Model model = base_->with(parameters);
    if (model.dimension != base_->dimension || model.constraint_rows != base_->constraint_rows) {
        throw InputError(fmt::format("with the values of trajectory {} the model has {} coordinates instead of {}; use "
                                     "one ensemble per kind of model",
                                     trajectory, model.dimension, base_->dimension));
    }
    for (std::size_t k = 0; k < targets_.size(); ++k) {
        if (!targets_[k].parameter) {  // the last value of a coordinate counts
            model.initial.push_back({targets_[k].kind,
                                     {Expression(values_->at(trajectory, k)), 1, {}},
                                     {static_cast<std::uint32_t>(targets_[k].number)}});
        }
    }
    return model;
}

LaneValues VariedModel::in_lanes(std::span<const std::size_t> trajectories) const {
    LaneValues lanes;
    for (std::size_t k = 0; k < targets_.size(); ++k) {
        if (targets_[k].parameter) {
            auto& values = lanes.emplace_back(LaneParameter{values_->names[k], {}}).values;
            for (const auto trajectory : trajectories) {
                values.push_back(values_->at(trajectory, k));
            }
        }
    }
    return lanes;
}

}  // namespace libration
