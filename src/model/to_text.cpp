// A model as the text of a model file: what stands above the dynamics, and what is said of runs.
#include "request/run_fields.hpp"
#include <libration/model/to_text.hpp>

#include "model_text.hpp"

#include "expression/shared_text.hpp"
#include "joint_formulas.hpp"
#include "set_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace libration {

namespace {

// What angles that count turns define.
bool is_of_angle(const Model& model, const std::string& name) {
    return std::ranges::any_of(model.windings, [&](const Winding& winding) {
        return name == winding.name || name == "v_" + winding.name || name == winding.name + "_at_node";
    });
}

// All formulas in which definitions may be used, except definitions.
std::vector<Expression> formulas_of(const Model& model) {
    std::vector<Expression> all;
    const auto add = [&](const Expression& value) { all.push_back(value); };
    const auto add_term = [&](const Term& term) {
        if (term.origin->names.empty()) {
            add(term.formula.kernel);
        }
    };
    const auto& mass = model.variable_mass ? *model.variable_mass : model.mass;
    std::ranges::for_each(mass.matrix, add);
    std::ranges::for_each(mass.diagonal, [&](const auto& block) {
        if (block.value.parameters.empty()) {
            add(block.value.kernel);
        }
    });
    for (const auto* whole : {&model.kinetic, &model.hamiltonian}) {
        if (*whole && !model.variable_mass) {
            add((*whole)->value);
        }
    }
    const std::size_t weights = model.gravity ? model.gravity->terms : 0;
    std::for_each(model.potential.begin(), model.potential.end() - static_cast<std::ptrdiff_t>(weights), add_term);
    for (const auto& constraint : model.constraints) {
        if (!constraint.term.grouped && !belongs_to_joint(model, constraint)) {
            add_term(constraint.term);
        }
    }
    for (const auto& rolling : model.nonholonomic) {
        if (!rolling.of_joint) {
            add(rolling.equation.value);
        }
    }
    for (const auto* equations : {model.field ? &model.field->q : nullptr, model.field ? &model.field->v : nullptr}) {
        for (std::size_t k = 0; equations != nullptr && k < equations->size(); ++k) {
            add((*equations)[k].value);
        }
    }
    for (const auto& force : model.forces) {
        std::ranges::for_each(force.on, [&](const auto& component) { add(component.value.value); });
    }
    std::ranges::for_each(model.observables, [&](const auto& observable) { add(observable.value); });
    std::ranges::for_each(model.events, [&](const auto& event) { add(event.value); });
    for (std::size_t k = 0; model.assembly && k < model.assembly->hold.size(); ++k) {
        add(model.assembly->hold[k].value);
    }
    return all;
}

// Formulas that have a name without a definition: angles that count turns, and what joints define.
std::unordered_map<Expression, std::string> names_without_definition(const Model& model) {
    std::unordered_map<Expression, std::string> names;
    const auto add = [&](const Expression& value, std::string name) {
        if (!value.arguments().empty()) {
            names.emplace(value, std::move(name));
        }
    };
    for (const auto& joint : model.joints) {
        for (const auto& coordinate : joint.coordinates) {
            if (!coordinate.wraps || joint.given.turns) {
                add(coordinate.value, fmt::format("{}.{}", joint.name(), coordinate.name));
            }
            add(coordinate.rate, fmt::format("{}.{}", joint.name(), coordinate.rate_name));
        }
        const auto force = reaction_force(joint), torque = reaction_torque(joint);
        for (std::size_t c = 0; c < 3; ++c) {
            add(force[c], fmt::format("{}.force.{}", joint.name(), "xyz"[c]));
            add(torque[c], fmt::format("{}.torque.{}", joint.name(), "xyz"[c]));
        }
    }
    for (const auto& [name, value] : model.definitions) {
        if (is_of_angle(model, name) && name.find('.') == std::string::npos) {
            add(value[0], name);
        }
    }
    return names;
}

std::vector<std::string> taken_names(const Model& model) {
    std::vector<std::string> names = model.plain_coordinates;
    const auto add = [&](const auto& all) {
        for (const auto& one : all) {
            names.push_back(one.name);
        }
    };
    add(model.parameters);
    std::ranges::transform(model.tables, std::back_inserter(names), &Table::name);
    add(model.points);
    add(model.bodies);
    std::ranges::transform(model.joints, std::back_inserter(names), &Joint::name);
    add(model.definitions);
    add(model.observables);
    add(model.events);
    const auto add_indices = [&](const std::shared_ptr<const Instances>& origin) {
        if (origin) {
            names.insert(names.end(), origin->names.begin(), origin->names.end());
        }
    };
    std::ranges::for_each(model.potential, add_indices, &Term::origin);
    std::ranges::for_each(model.constraints, [&](const auto& constraint) { add_indices(constraint.term.origin); });
    std::ranges::for_each(model.initial, add_indices, &InitialValue::origin);
    return names;
}

}  // namespace

ModelText::ModelText(const Model& model) : model_(model) { share_formulas(); }

void ModelText::share_formulas() {
    std::unordered_map<Expression, std::string> named;
    auto formulas = formulas_of(model_);
    for (const auto& [name, value] : model_.definitions) {
        if (is_of_angle(model_, name)) {
            continue;
        }
        formulas.insert(formulas.end(), value.begin(), value.end());
        if (value.size() == 1 && !value[0].arguments().empty()) {
            named.emplace(value[0], name);
        }
    }
    auto texts = shared_text(formulas, taken_names(model_), named, names_without_definition(model_));
    for (std::size_t k = 0; k < formulas.size(); ++k) {
        shared_.emplace(formulas[k], std::move(texts.texts[k]));
    }
    for (auto& [name, text] : texts.definitions) {
        definitions_.emplace_back(std::move(name), toml_quoted(text));
    }
    for (const auto& [name, value] : model_.definitions) {
        if (is_of_angle(model_, name) ||
            std::ranges::find(definitions_, name, &Entries::value_type::first) != definitions_.end()) {
            continue;
        }
        std::vector<std::string> components;
        for (const auto& component : value) {
            components.push_back(shared(component));
        }
        definitions_.emplace_back(name,
                                  components.size() == 1 ? components[0] : toml_list(components, name.size() + 3));
    }
}

std::string ModelText::shared(const Expression& value) const {
    const auto found = shared_.find(value);
    return found == shared_.end() ? toml_formula(value) : toml_formula(value, found->second);
}

void ModelText::section(const std::string& header, const Entries& entries) {
    if (entries.empty()) {
        return;
    }
    if (!header.empty()) {
        text_ += fmt::format("[{}]\n", header);
    }
    for (const auto& [name, value] : entries) {
        text_ += fmt::format("{} = {}\n", toml_key(name), value);
    }
    text_ += '\n';
}

void ModelText::write_tables() {
    Entries entries;
    for (const auto& table : model_.tables) {
        entries.emplace_back(table.name(), toml_inline_table({{"x", toml_numbers(table.x())},
                                                              {"y", toml_numbers(table.y())},
                                                              {"kind", toml_quoted(libration::name(table.kind()))}}));
    }
    section("tables", entries);
}

void ModelText::write_parameters() {
    Entries entries;
    for (const auto& parameter : model_.parameters) {
        if (parameter.function_of_index) {
            entries.emplace_back(parameter.name, toml_quoted(to_string(*parameter.function_of_index)));
            continue;
        }
        std::vector<std::string> values;
        values.reserve(parameter.values.size());
        for (const auto& value : parameter.values) {
            values.push_back(toml_formula(value));
        }
        entries.emplace_back(parameter.name,
                             parameter.list ? toml_list(values, toml_key(parameter.name).size() + 3) : values[0]);
    }
    section("parameters", entries);
}

void ModelText::write_points() {
    Entries entries;
    const auto every = mass_of_all();
    for (const auto& group : model_.points) {
        Entries facts{{"count", group.counted_by.empty() ? std::to_string(group.count) : toml_quoted(group.counted_by)},
                      {"dimension", std::to_string(group.dimension)}};
        if (!mass().diagonal.empty()) {
            const auto masses = point_masses(group);
            if (masses.size() > 1) {
                std::vector<std::string> each;
                for (const auto& mass : masses) {
                    each.push_back(toml_formula(mass));
                }
                facts.emplace_back("mass", fmt::format("[{}]", fmt::join(each, ", ")));
            } else if (masses.empty() || !every || masses[0] != *every) {
                facts.emplace_back("mass", toml_formula(block_of(group.first).value.kernel));
            }
        }
        entries.emplace_back(group.name, toml_inline_table(facts));
    }
    section("points", entries);
}

void ModelText::write_angles() {
    Entries entries;
    for (const auto& winding : model_.windings) {
        if (winding.name.find('.') != std::string::npos) {
            continue;  // of a joint
        }
        Entries facts{{"sine", toml_formula(winding.sine)}, {"cosine", toml_formula(winding.cosine)}};
        if (!winding.start.is_constant(0)) {
            facts.emplace_back("start", toml_formula(winding.start));
        }
        entries.emplace_back(winding.name, toml_inline_table(facts));
    }
    section("angles", entries);
}

void ModelText::write_definitions() { section("definitions", definitions_); }

void ModelText::write_observables() {
    Entries entries;
    std::vector<std::string> invariants;
    for (const auto& [name, value, invariant] : model_.observables) {
        if (!is_of_angle(model_, name)) {
            entries.emplace_back(name, shared(value));
        }
        if (invariant) {
            invariants.push_back(toml_quoted(name));
        }
    }
    if (!invariants.empty()) {
        entries.emplace_back("invariants", toml_list(invariants, 13));
    }
    section("observables", entries);
}

void ModelText::write_events() {
    constexpr std::array directions{"either", "rising", "falling"};
    for (const auto& event : model_.events) {
        Entries facts{{"name", toml_quoted(event.name)}, {"when", shared(event.value)}};
        if (event.direction != Event::Direction::either) {
            facts.emplace_back("direction", toml_quoted(directions.at(static_cast<std::size_t>(event.direction))));
        }
        if (event.terminal) {
            facts.emplace_back("terminal", "true");
        }
        section("[events]", facts);
    }
}

void ModelText::write_assembly() {
    if (!model_.assembly) {
        return;
    }
    std::vector<std::string> held;
    for (const auto& one : model_.assembly->hold) {
        held.push_back(shared(one.value));
    }
    text_ += fmt::format("[assembly]\nbranch = {}\n", model_.assembly->branch);
    if (!held.empty()) {
        text_ += fmt::format("hold = {}\n", toml_list(held, 7));
    }
    if (model_.assembly->snap) {
        text_ += fmt::format("snap = {}\n", toml_formula(*model_.assembly->snap));
    }
    text_ += '\n';
}

void ModelText::write_run() {
    Entries entries;
    for (const auto& field : run_fields) {
        if (field.for_use(use::run_section) && is_given(model_.run, field)) {
            const auto formula =
                std::ranges::find(model_.run_formulas, field.name, &std::pair<std::string, std::string>::first);
            const bool is_formula = formula != model_.run_formulas.end();
            const auto value = is_formula ? formula->second : text_of(model_.run, field);
            entries.emplace_back(field.name,
                                 is_formula || field.kind() == FieldKind::text ? toml_quoted(value) : value);
        }
    }
    section("run", entries);
}

std::string ModelText::write() {
    Entries facts;
    for (const auto& [key, value] : {std::pair("name", &model_.name), std::pair("description", &model_.description),
                                     std::pair("source", &model_.source)}) {
        if (!value->empty()) {
            facts.emplace_back(key, toml_quoted(*value));
        }
    }
    section("", facts);
    write_tables();
    write_parameters();
    std::vector<std::string> names;
    for (const auto& name : model_.plain_coordinates) {
        names.push_back(toml_quoted(name));
    }
    if (!names.empty()) {
        section("coordinates", {{"q", toml_list(names, 4)}});
    }
    write_points();
    write_bodies();
    write_joints();
    write_angles();
    write_definitions();
    write_dynamics();
    write_families();
    write_field();
    write_forces();
    write_spark();
    write_observables();
    write_events();
    write_initial();
    write_assembly();
    write_run();
    for (const auto& winding : model_.windings) {
        const auto& symbol = winding.reference.text();
        for (auto at = text_.find(symbol); at != std::string::npos; at = text_.find(symbol, at)) {
            text_.replace(at, symbol.size(), winding.name + "_at_node");
        }
    }
    text_.erase(text_.find_last_not_of('\n') + 1);
    return text_ + '\n';
}

std::string text_from_data(const Model& model) { return ModelText(model).write(); }

std::string to_text(const Model& model) {
    if (model.external || model.text.empty()) {
        return model.saved_text();
    }
    if (model.overrides.empty()) {
        return model.text;
    }
    auto text = without_set_section(model.text);
    text.erase(text.find_last_not_of(" \t\r\n") + 1);
    text += "\n\n[set]\n";
    for (const auto& [name, value] : model.overrides) {
        text += fmt::format("{} = {}\n", toml_key(name), toml_quoted(value));
    }
    return text;
}

std::string Model::saved_text() const {
    return external ? std::string() : (text.empty() ? text_from_data(*this) : text);
}

}  // namespace libration
