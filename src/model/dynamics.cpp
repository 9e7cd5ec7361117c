// Which dynamics a model may have.
#include "dynamics.hpp"

#include "expression/conditions.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Everything that can be given about forces, where it stands, and what a user calls it.
struct Given {
    const char* name;
    bool present;
    Place place;
};

std::vector<Given> given_parts(const Model& model) {
    const auto& mass = model.mass;
    const auto mass_place = !mass.place.source && !mass.diagonal.empty() ? mass.diagonal[0].place : mass.place;
    const auto place_of = [](const std::optional<WholeExpression>& e) { return e ? e->place : Place{}; };
    return {{"mass", !mass.diagonal.empty() || !mass.matrix.empty(), mass_place},
            {"potential", !model.potential.empty(), model.potential.empty() ? Place{} : model.potential[0].place},
            {"kinetic", model.kinetic.has_value(), place_of(model.kinetic)},
            {"hamiltonian", model.hamiltonian.has_value(), place_of(model.hamiltonian)},
            {"constraints", !model.constraints.empty(),
             model.constraints.empty() ? Place{} : model.constraints[0].term.place}};
}

void check_exclusions(const Model& model) {
    for (const auto& [name, present, place] : given_parts(model)) {
        const std::string_view part = name;
        if (!present) {
            continue;
        }
        if (model.field) {
            refuse(place,
                   part == "constraints"
                       ? std::string("a `[field]` cannot have constraints; remove them, or describe the motion by "
                                     "a mass and a potential, or by a hamiltonian")
                       : fmt::format("a `[field]` gives the whole motion; remove the {}, or remove `[field]`",
                                     part == "potential" ? "potential (and every `[[energy]]`)" : part));
        }
        if (model.hamiltonian && (part == "mass" || part == "potential" || part == "kinetic")) {
            refuse(place, fmt::format("the hamiltonian is the whole energy; remove the {}, or remove the hamiltonian",
                                      part == "potential" ? "potential (and every `[[energy]]`)"
                                      : part == "mass"    ? "mass (also those of points)"
                                                          : "kinetic energy"));
        }
        if (model.kinetic && part == "mass") {
            refuse(place, "the kinetic energy replaces the masses; remove the mass (also those of points), or "
                          "remove the kinetic energy");
        }
    }
}

void check_whole(const Model& model, const WholeExpression& expression, std::string_view prefix,
                 const std::string& what) {
    refuse_condition(expression.value, expression.place, what, number_advice);
    auto known = model.coordinate_symbols();
    if (!prefix.empty()) {
        const auto derived = model.coordinate_symbols(prefix);
        known.insert(known.end(), derived.begin(), derived.end());
    }
    known.push_back(symbol("t"));
    for (const auto& parameter : model.parameters) {
        known.push_back(symbol(parameter.name));
    }
    std::ranges::transform(model.windings, std::back_inserter(known), &Winding::reference);
    for (const auto& s : symbols_of(std::array{expression.value})) {
        if (std::ranges::find(known, s) == known.end()) {
            refuse(expression.place,
                   fmt::format("{} uses '{}', which is neither a coordinate, nor a parameter, nor t{}", what, s.text(),
                               prefix.empty() ? "" : fmt::format(", nor {}NAME of a coordinate", prefix)));
        }
    }
}

}  // namespace

void refuse(const Place& place, const std::string& message) { throw InputError(place, message); }

void refuse_condition(const Expression& value, const Place& place, std::string_view what, std::string_view advice) {
    if (is_comparison(value)) {
        refuse(place, fmt::format("{} is a condition; {}", what, advice));
    }
}

void check_dynamics(const Model& model) {
    check_exclusions(model);
    for (const auto& block : model.mass.diagonal) {
        refuse_condition(block.value.kernel, block.place, "the mass", number_advice);
    }
    for (const auto& entry : model.mass.matrix) {
        refuse_condition(entry, model.mass.place, "an entry of the mass matrix", number_advice);
    }
    if (model.kinetic) {
        check_whole(model, *model.kinetic, "v_", "the kinetic energy");
    }
    if (model.hamiltonian) {
        check_whole(model, *model.hamiltonian, "p_", "the hamiltonian");
    }
    if (model.field) {
        for (const auto* equations : {&model.field->q, &model.field->v}) {
            for (const auto& equation : *equations) {
                check_whole(model, equation, model.field->v.empty() ? "" : "v_", "the field");
            }
        }
    }
}

void settle_parts(Model& model) {
    if (std::ranges::any_of(model.potential, [](const Term& term) { return term.part != 0; })) {
        for (auto& term : model.potential) {
            term.part = term.part == 0 ? slow_part : term.part;
        }
    }
}

void check_field(const Model& model) {
    const auto& field = *model.field;
    const std::size_t d = model.dimension;
    if (field.q.size() != d || (!field.v.empty() && field.v.size() != d)) {
        refuse(field.place,
               fmt::format("the field has {} equations for q and {} for v; it needs one per coordinate, {} each",
                           field.q.size(), field.v.size(), d));
    }
    if (!field.blocks.empty() && !field.v.empty()) {
        refuse(field.place, "blocks belong to a field in q alone; remove them, or remove v");
    }
    std::vector<int> times(d, 0);
    for (const auto& block : field.blocks) {
        for (const auto k : block) {
            if (k < d) {
                ++times[k];
            }
        }
    }
    for (std::size_t k = 0; !field.blocks.empty() && k < d; ++k) {
        if (times[k] != 1) {
            refuse(field.place, fmt::format("{} is in {} blocks; put every coordinate into exactly one",
                                            model.coordinate_name(k), times[k] == 0 ? "no" : std::to_string(times[k])));
        }
    }
    for (const auto& value : model.initial) {
        if (value.kind == InitialValue::Kind::momentum) {
            throw InputError(
                "a `[field]` has no momenta; give velocities v instead of p under `[initial]`, or neither for a "
                "field in q alone");
        }
        if (value.kind == InitialValue::Kind::velocity && field.v.empty()) {
            throw InputError("a `[field]` in q alone has no velocities to start from; remove v under `[initial]`");
        }
    }
}

}  // namespace libration
