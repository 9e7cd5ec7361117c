// Constraints k(t, q, v) = 0 on velocities: from the section [dynamics], and which of them a model may have.
#include "nonholonomic.hpp"
#include "dynamics.hpp"

#include "reader.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace libration {

void ModelReader::read_nonholonomic() {
    const auto* dynamics = document_.find("dynamics");
    const auto* given = dynamics != nullptr ? dynamics->find("nonholonomic") : nullptr;
    if (given == nullptr) {
        return;
    }
    const auto add = [&](const Document& value, const std::string& name, bool numbered) {
        auto scope = draft_.scope({.coordinates = true, .velocities = true, .time = true});
        const auto equation = formula(value, scope, "the nonholonomic constraint " + name);
        draft_.model().nonholonomic.push_back({name, numbered, {equation, value.place}, false});
    };
    if (given->kind == Document::Kind::list) {
        for (std::size_t k = 0; k < given->items.size(); ++k) {
            const auto& item = given->items[k];
            if (item.kind == Document::Kind::table && item.entries.size() == 1) {  // one with a name among the others
                add(item.entries[0].second, item.entries[0].first, false);
            } else {
                add(item, fmt::format("k{}", k + 1), true);
            }
        }
    } else if (given->kind == Document::Kind::table) {
        for (const auto& [name, value] : given->entries) {
            add(value, name, false);
        }
    } else {
        given->fail("nonholonomic constraints are a list [\"...\", \"...\"] or a table { name = \"...\" }");
    }
}

namespace {

[[noreturn]] void refuse_rolling(const Nonholonomic& rolling, const std::string& message) {
    throw InputError(rolling.equation.place, message);
}

using Known = std::unordered_set<Expression>;

Known known_symbols(const Model& model) {
    Known known{symbol("t")};
    for (const auto& all : {model.coordinate_symbols(), model.coordinate_symbols("v_")}) {
        known.insert(all.begin(), all.end());
    }
    for (const auto& parameter : model.parameters) {
        known.insert(symbol(parameter.name));
    }
    for (const auto& winding : model.windings) {
        known.insert(winding.reference);
    }
    return known;
}

void check_rolling_symbols(const Model& model, const Nonholonomic& rolling, const Known& known) {
    for (const auto& s : symbols_of(std::array{rolling.equation.value})) {
        if (known.contains(s)) {
            continue;
        }
        const auto& name = s.text();
        const bool momentum = name.starts_with("p_") && model.coordinate_number(name.substr(2)).has_value();
        refuse_rolling(rolling,
                       momentum ? fmt::format("the nonholonomic constraint {} uses the momentum '{}'; it is written "
                                              "with velocities: use v_{}",
                                              rolling.name, name, name.substr(2))
                                : fmt::format("the nonholonomic constraint {} uses '{}', which is neither a "
                                              "coordinate, nor v_NAME of one, nor a parameter, nor t",
                                              rolling.name, name));
    }
}

}  // namespace

void check_nonholonomic(const Model& model) {
    if (model.nonholonomic.empty()) {
        return;
    }
    if (model.field) {
        refuse_rolling(
            model.nonholonomic[0],
            "a `[field]` cannot have nonholonomic constraints; remove them, or describe the motion by a mass and a "
            "potential, or by a hamiltonian");
    }
    const auto known = known_symbols(model);
    const auto velocities = model.coordinate_symbols("v_");
    std::unordered_set<std::string> multipliers;
    for (std::size_t row = 0; row < model.constraint_rows; ++row) {
        multipliers.insert(model.multiplier_name(row));
    }
    for (std::size_t k = 0; k < model.nonholonomic.size(); ++k) {
        const auto& rolling = model.nonholonomic[k];
        if (!rolling.of_joint && !is_plain_name(rolling.name)) {
            refuse_rolling(rolling,
                           fmt::format("the name '{}' of a nonholonomic constraint cannot be used: a name consists of "
                                       "letters, digits and _, and does not start with a digit",
                                       rolling.name));
        }
        if (!multipliers.insert(model.multiplier_name(model.constraint_rows + k)).second) {
            refuse_rolling(rolling,
                           fmt::format("there are two constraints with the multiplier {}; give each its own name",
                                       model.multiplier_name(model.constraint_rows + k)));
        }
        check_rolling_symbols(model, rolling, known);
        refuse_condition(rolling.equation.value, rolling.equation.place,
                         fmt::format("the nonholonomic constraint {}", rolling.name), zero_advice);
        if (!depends_on(rolling.equation.value, velocities)) {
            refuse_rolling(rolling, fmt::format("the nonholonomic constraint {} contains no velocity; write it under "
                                                "constraints",
                                                rolling.name));
        }
    }
}

}  // namespace libration
