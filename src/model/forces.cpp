// Which non-Hamiltonian forces a model may have, and which coefficients their terms may have. [Jay 1998, sections 7,
// 8]
#include "forces.hpp"

#include "draft.hpp"
#include "dynamics.hpp"

#include "model_values.hpp"
#include "text/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

namespace libration {

namespace {

constexpr std::array kept_names{"position", "reaction", "potential", "slow", "fast", "stiff", "inertia", "hamiltonian"};

void check_name(const Model& model, std::size_t k) {
    const auto& [name, kind, on, place] = model.forces[k];
    if (!is_plain_name(name)) {
        refuse(place, fmt::format("the name '{}' of a force cannot be used: a name consists of letters, digits and _, "
                                  "and does not start with a digit",
                                  name));
    }
    if (std::ranges::find(kept_names, name) != kept_names.end()) {
        refuse(place,
               fmt::format("a force cannot be named '{}', because `[spark]` has a term of that name; choose another",
                           name));
    }
    for (std::size_t j = 0; j < k; ++j) {
        if (model.forces[j].name == name) {
            refuse(place, fmt::format("there are two forces '{}'; give each its own name, or write them as one", name));
        }
    }
}

using Symbols = std::unordered_set<Expression>;

Symbols symbols_for_forces(const Model& model) {
    Symbols known{symbol("t")};
    for (const auto& all : {model.coordinate_symbols(), model.coordinate_symbols("v_"), model.multiplier_symbols()}) {
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

void check_component(const Model& model, const Force& force, const Force::Component& component, const Symbols& known) {
    for (const auto& s : symbols_of(std::array{component.value.value})) {
        if (known.contains(s)) {
            continue;
        }
        const auto& name = s.text();
        const auto what = fmt::format("the force '{}' on {}", force.name, model.coordinate_name(component.coordinate));
        if (name.starts_with("p_") && model.coordinate_number(name.substr(2))) {
            refuse(component.value.place, fmt::format("{} uses the momentum '{}'; forces are written with velocities: "
                                                      "use v_{}",
                                                      what, name, name.substr(2)));
        }
        refuse(component.value.place, fmt::format("{} uses '{}', which is neither a coordinate, nor v_NAME of one, nor "
                                                  "a multiplier lambda_NAME, nor a parameter, nor t",
                                                  what, name));
    }
}

// What `[spark]` can treat in this model.
std::vector<std::string> spark_terms(const Model& model) {
    std::vector<std::string> terms;
    for (const auto& force : model.forces) {
        terms.push_back(force.name);
    }
    if (model.multipliers() > 0) {
        terms.emplace_back("reaction");
    }
    for (const auto& [name, part] :
         {std::pair{"potential", 0U}, {"slow", slow_part}, {"fast", fast_part}, {"stiff", stiff_part}}) {
        if (std::ranges::find(model.potential, part, &Term::part) != model.potential.end()) {
            terms.emplace_back(name);
        }
    }
    if (model.kinetic) {
        terms.emplace_back("inertia");
    }
    if (model.hamiltonian) {
        terms.emplace_back("hamiltonian");
    }
    return terms;
}

void check_term(const Model& model, const TreatmentChoice& choice) {
    const auto terms = spark_terms(model);
    if (choice.term == "position" || std::ranges::find(terms, choice.term) != terms.end()) {
        return;
    }
    if (choice.term == "potential" && !model.potential.empty()) {
        refuse(choice.place, fmt::format("the potential is split; `[spark]` treats its parts separately: {}",
                                         fmt::join(terms, ", ")));
    }
    refuse(choice.place, fmt::format("`[spark]` names the term '{}', which the model does not have{}", choice.term,
                                     suggestion(choice.term, terms)));
}

std::array<double, lobatto_kinds> weight_values(const Model& model, const TreatmentChoice& choice) {
    const auto given = parameter_values<double>(model);
    for (const auto& s : symbols_of(choice.weights)) {
        if (std::ranges::find(given.symbols, s) == given.symbols.end()) {
            refuse(choice.place,
                   fmt::format("a weight of '{}' in `[spark]` contains '{}'; weights are constants: numbers "
                               "and formulas of parameters",
                               choice.term, s.text()));
        }
    }
    const Tape<double> tape(compile(choice.weights, {}, given.symbols), given.values);
    std::array<double, lobatto_kinds> values{};
    for (std::size_t k = 0; k < lobatto_kinds; ++k) {
        values[k] = tape.output(k);
    }
    return values;
}

void check_weights(const TreatmentChoice& choice, const std::array<double, lobatto_kinds>& values) {
    double sum = 0;
    for (std::size_t k = 0; k < lobatto_kinds; ++k) {
        if (!(values[k] >= 0) || !std::isfinite(values[k])) {
            refuse(choice.place,
                   fmt::format("the weight of {} for '{}' in `[spark]` is {}; every weight must be a number "
                               "from 0 to 1",
                               lobatto_letters[k], choice.term, values[k]));
        }
        sum += values[k];
    }
    constexpr double rounding = 1e-12;  // of five decimals or fractions
    if (!(std::abs(sum - 1) <= rounding)) {
        refuse(choice.place,
               fmt::format("the weights of '{}' in `[spark]` sum to {:.15g}; they must sum to 1", choice.term, sum));
    }
}

// What depends on multipliers has no part of A: beta^{j,1} = 0. [Jay 1998, section 7]
void check_multipliers(const Model& model, const TreatmentChoice& choice, double weight_of_a) {
    if (weight_of_a == 0) {
        return;
    }
    const std::string others = "use B, C, C* or D, or a mix of these";
    if (choice.term == "reaction") {
        refuse(choice.place,
               fmt::format("the reaction contains the multipliers and cannot be treated with A; {}", others));
    }
    const auto force = std::ranges::find(model.forces, choice.term, &Force::name);
    if (force == model.forces.end()) {
        return;
    }
    const auto multipliers = model.multiplier_symbols();
    for (const auto& component : force->on) {
        if ((!choice.coordinate || *choice.coordinate == component.coordinate) &&
            depends_on(component.value.value, multipliers)) {
            refuse(choice.place,
                   fmt::format("the force '{}' on {} contains multipliers and cannot be treated with A; {}",
                               force->name, model.coordinate_name(component.coordinate), others));
        }
    }
}

}  // namespace

void check_forces(const Model& model) {
    if (model.forces.empty()) {
        return;
    }
    if (model.field) {
        refuse(model.forces[0].place,
               fmt::format(
                   "a `[field]` gives the whole motion; write the force '{}' into its equations for v, or describe "
                   "the motion by a mass and a potential, or by a hamiltonian",
                   model.forces[0].name));
    }
    const auto known = symbols_for_forces(model);
    for (std::size_t k = 0; k < model.forces.size(); ++k) {
        check_name(model, k);
        const auto& force = model.forces[k];
        if (force.on.empty()) {
            refuse(force.place, fmt::format("the force '{}' acts on nothing; write e.g. on = {{ {} = \"...\" }}",
                                            force.name, model.coordinate_name(0)));
        }
        std::set<std::size_t> seen;
        for (const auto& component : force.on) {
            if (!seen.insert(component.coordinate).second) {
                refuse(component.value.place, fmt::format("the force '{}' is given twice on {}; add the two",
                                                          force.name, model.coordinate_name(component.coordinate)));
            }
            check_component(model, force, component, known);
        }
    }
}

void settle_spark(Model& model) {
    for (const auto& choice : model.treatment.choices) {
        if (model.field) {
            refuse(choice.place, "a `[field]` has no terms that the method spark could treat; remove `[spark]`");
        }
        check_term(model, choice);
        const auto values = weight_values(model, choice);
        check_weights(choice, values);
        check_multipliers(model, choice, values[static_cast<std::size_t>(Lobatto::a)]);
    }
    std::ranges::stable_partition(model.treatment.choices, [](const TreatmentChoice& c) { return !c.coordinate; });
}

}  // namespace libration
