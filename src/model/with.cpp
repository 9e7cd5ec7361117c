// The same model with other values, without reading its text.
#include "carried.hpp"
#include "draft.hpp"
#include "overrides.hpp"

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;
using Kind = InitialValue::Kind;

std::optional<std::size_t> strict_number(const Model& model, const std::string& name) {
    const auto number = model.coordinate_number(name);
    return number && model.coordinate_name(*number) == name ? number : std::nullopt;  // r[01].x is lenient
}

// Later values replace earlier ones, and of momentum and velocity of a coordinate only the last one stays.
Overrides merged(Overrides all, const Overrides& values) {
    std::erase_if(all, [&](const auto& old) {
        return std::ranges::any_of(values, [&](const auto& value) {
            const auto& [name, unused] = value;
            const bool derived = name.starts_with("p_") || name.starts_with("v_");
            return old.first == name || (derived && old.first == (name[0] == 'p' ? "v_" : "p_") + name.substr(2));
        });
    });
    all.insert(all.end(), values.begin(), values.end());
    return all;
}

// Parameters in the order of their uses: one that used others might have to move, one that used none stays where it is.
bool can_be_replaced(const Parameter& parameter) {
    return !parameter.list && !parameter.function_of_index && !parameter.read_as_number &&
           (parameter.values[0].is(Op::constant) || symbols_of(parameter.values).empty());
}

void replace(Parameter& parameter, const std::string& value) {
    const auto said = fmt::format("`set = {}={}`", parameter.name, value);
    parameter.values = {override_value(value, said)};
    parameter.place = {std::make_shared<Source>(Source{said, fmt::format("{}={}", parameter.name, value), true}), 1,
                       2 + parameter.name.size(), nullptr};
}

// Whether both momentum and velocity of a coordinate are given, of which the messages are those of the reader.
bool is_given_twice(const Model& model, const Overrides& all, const InitialTarget& target) {
    if (target.kind == Kind::position) {
        return false;
    }
    const bool momentum = target.kind == Kind::momentum;
    const auto other = (momentum ? "v_" : "p_") + model.coordinate_name(target.coordinate);
    return gives_initial(model, momentum ? Kind::velocity : Kind::momentum, target.coordinate) ||
           std::ranges::find(all, other, &Overrides::value_type::first) != all.end();
}

bool replace_initial(Model& model) {
    model.initial.resize(model.initial.size() - model.replaced_initial);
    std::vector<InitialValue> replaced;
    for (const auto& [name, value] : model.overrides) {
        if (std::ranges::find(model.parameters, name, &Parameter::name) != model.parameters.end() ||
            angle_target(model, name) != nullptr) {
            continue;
        }
        const auto target = initial_target(model, name);
        if (!target || is_given_twice(model, model.overrides, *target)) {
            return false;
        }
        replaced.push_back({target->kind,
                            {override_value(value, fmt::format("`set = {}={}`", name, value)), 1, {}},
                            {static_cast<std::uint32_t>(target->coordinate)}});
    }
    model.replaced_initial = replaced.size();
    model.initial.insert(model.initial.end(), replaced.begin(), replaced.end());
    return true;
}

// Nothing: the text has to be read, because the model changes with the values or because it refuses them, which the
// reader says best.
std::optional<Model> quickly_varied(const Model& base, const Overrides& values) {
    Model model = base;
    model.overrides = merged(base.overrides, values);
    bool starts_elsewhere = false;
    for (const auto& [name, value] : values) {
        const auto parameter = std::ranges::find(model.parameters, name, &Parameter::name);
        if (parameter == model.parameters.end()) {
            starts_elsewhere = true;
            if (auto* angle = angle_target(model, name)) {
                angle->start = override_value(value, fmt::format("`set = {}={}`", name, value));
            }
        } else if (can_be_replaced(*parameter)) {
            replace(*parameter, value);
        } else {
            return std::nullopt;
        }
    }
    if (starts_elsewhere && !replace_initial(model)) {
        return std::nullopt;
    }
    check_values(model);
    // What is done for a singular mass matrix is more than a number of the model.
    return model.singular_mass || base.singular_mass ? std::nullopt : std::optional(std::move(model));
}

[[noreturn]] void refuse_name(const Model& model, const Overrides& values) {
    std::vector<std::string> names;
    for (const auto& parameter : model.parameters) {
        names.push_back(parameter.name);
    }
    constexpr std::size_t most = 100;  // a longer list has regular names
    for (std::size_t k = 0; k < std::min(model.dimension, most); ++k) {
        names.push_back(model.coordinate_name(k));
    }
    for (const auto& [name, value] : values) {
        const auto parameter = std::ranges::find(model.parameters, name, &Parameter::name);
        if (parameter == model.parameters.end() && !initial_target(model, name) &&
            angle_target(model, name) == nullptr) {
            throw InputError(fmt::format("`set = {}={}`: the model has no parameter '{}'{}\nParameters can be set, and "
                                         "initial values: NAME, p_NAME or v_NAME of a coordinate.",
                                         name, value, name, suggestion(name, names)));
        }
    }
    throw InputError("these values change the structure of the model, which has no text that could be re-read; rebuild "
                     "it with the new values");
}

}  // namespace

std::optional<InitialTarget> initial_target(const Model& model, const std::string& name) {
    if (const auto k = strict_number(model, name)) {
        return InitialTarget{*k, Kind::position};
    }
    for (const auto& [prefix, kind] : {std::pair("p_", Kind::momentum), std::pair("v_", Kind::velocity)}) {
        if (const auto k = name.starts_with(prefix) ? strict_number(model, name.substr(2)) : std::nullopt) {
            return InitialTarget{*k, kind};
        }
    }
    return std::nullopt;
}

bool gives_initial(const Model& model, Kind kind, std::size_t coordinate) {
    return std::ranges::any_of(model.initial, [&](const InitialValue& block) {
        return block.kind == kind && std::ranges::find(block.coordinates, coordinate) != block.coordinates.end();
    });
}

Expression override_value(const std::string& text, const std::string& given) {
    static const Model nothing;
    static const NumberMap no_numbers;
    ModelScope constants(nothing, no_numbers, {});
    return libration::parse(text, constants, {}, given);
}

Model Model::with(const Overrides& values) const {
    if (values.empty()) {
        return *this;
    }
    if (carried) {
        auto whole = carried->whole.with(values);
        const bool same_rows = whole.constraint_rows == carried->whole.constraint_rows;
        return same_rows ? carry(whole, carried->rows) : whole;
    }
    try {
        if (auto varied = quickly_varied(*this, values)) {
            return std::move(*varied);
        }
    } catch (const InputError&) {
        if (text.empty()) {
            throw;
        }
    }
    if (text.empty()) {
        refuse_name(*this, values);
    }
    return parse(text, text_name, merged(overrides, values), external);
}

}  // namespace libration
