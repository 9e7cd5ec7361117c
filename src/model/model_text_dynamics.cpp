// The text of the dynamics of a model: masses, energies, constraints, fields, forces.
#include "model_text.hpp"

#include "row_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

constexpr std::array<std::pair<const char*, Part>, 3> parts_in_order{
    {{"slow", slow_part}, {"fast", fast_part}, {"stiff", stiff_part}}};

const char* part_name(unsigned part) {
    return std::ranges::find(parts_in_order, part, &std::pair<const char*, Part>::second)->first;
}

bool has_no_range(const Term& term) { return term.origin->names.empty(); }

// How many rows from number k on are components of one vector; 1 if row k is a number.
std::size_t components_from(const std::vector<Constraint>& rows, std::size_t k) {
    std::size_t end = k + 1;
    while (names_component(rows[k].name) && end < rows.size() && names_component(rows[end].name) &&
           without_component(rows[end].name) == without_component(rows[k].name) &&
           rows[end].name.back() != rows[k].name.back()) {
        ++end;
    }
    return end - k;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> family_entries(const Instances& origin) {
    if (origin.names.empty()) {
        return {};
    }
    if (!origin.over.empty()) {
        return {{"for", toml_quoted(origin.over)}};
    }
    constexpr std::array keys{"for", "term", "equation", "part", "name", "numbered", ""};
    const auto name = std::ranges::find(keys, origin.table) != keys.end() ? std::string("rows") : origin.table;
    std::vector<std::string> rows;
    rows.reserve(origin.count);
    for (std::size_t k = 0; k < origin.count; ++k) {
        std::string row;
        for (const auto& column : origin.columns) {
            row += fmt::format("{}{}", row.empty() ? "[" : ", ", column[k]);
        }
        rows.push_back(row + ']');
    }
    std::string names;
    for (const auto& index : origin.names) {
        names += (names.empty() ? "" : ", ") + index;
    }
    return {{"for", toml_quoted(fmt::format("({}) in {}", names, name))},
            {name, toml_list(rows, toml_key(name).size() + 3)}};
}

const Mass::Block& ModelText::block_of(std::size_t coordinate) const {
    const auto& blocks = mass().diagonal;
    std::size_t first = 0;
    for (const auto& block : blocks) {
        first += block.value.instances * block.repeat;
        if (coordinate < first) {
            return block;
        }
    }
    return blocks.back();
}

std::optional<Expression> ModelText::mass_of_all() const {
    const std::size_t plain = model_.plain_coordinates.size();
    if (mass().diagonal.empty() || (plain == 0 && model_.points.empty())) {
        return std::nullopt;
    }
    if (plain > 0) {
        const auto& first = mass().diagonal.front();
        const bool one_value = first.value.parameters.empty() && first.value.instances == 1;
        return one_value && first.repeat == plain ? std::optional(first.value.kernel) : std::nullopt;
    }
    const auto masses = point_masses(model_.points[0]);
    return masses.size() == 1 ? std::optional(masses[0]) : std::nullopt;
}

std::vector<Expression> ModelText::point_masses(const PointGroup& group) const {
    std::vector<Expression> masses;
    std::size_t first = 0;
    for (const auto& [value, repeat, place] : mass().diagonal) {
        const std::size_t end = first + value.instances * repeat;
        for (auto k = std::max(first, group.first); k < std::min(end, group.first + group.count * group.dimension);
             ++k) {
            if (!value.parameters.empty()) {
                return {};
            }
            if ((k - group.first) % group.dimension == 0) {
                masses.push_back(value.kernel);
            }
        }
        first = end;
    }
    if (std::ranges::all_of(masses, [&](const Expression& mass) { return mass == masses[0]; })) {
        masses.resize(std::min<std::size_t>(masses.size(), 1));
    }
    return masses;
}

std::size_t ModelText::written_terms() const {
    return model_.potential.size() - (model_.gravity ? model_.gravity->terms : 0);
}

// Single terms without a part, or one a part in their order, stand under [dynamics]; others are blocks.
std::size_t ModelText::terms_in_dynamics() const {
    const auto& terms = model_.potential;
    if (written_terms() == 0 || !has_no_range(terms[0])) {
        return 0;
    }
    std::size_t count = 1;
    while (terms[0].part != 0 && count < written_terms() && has_no_range(terms[count]) &&
           terms[count].part > terms[count - 1].part) {
        ++count;
    }
    return count;
}

// Single rows, either all with names or all without, that come before all others.
std::size_t ModelText::constraints_in_dynamics() const {
    const auto& rows = model_.constraints;
    std::size_t count = 0;
    while (count < rows.size() && has_no_range(rows[count].term) && !rows[count].term.grouped &&
           !belongs_to_joint(model_, rows[count]) && rows[count].numbered == rows[0].numbered) {
        ++count;
    }
    return count;
}

void ModelText::write_dynamics() {
    Entries entries;
    const std::size_t plain = model_.plain_coordinates.size();
    const auto every = mass_of_all();
    if (!mass().matrix.empty()) {
        std::vector<std::string> rows;
        for (std::size_t i = 0; i < model_.dimension; ++i) {
            std::vector<std::string> row;
            for (std::size_t j = 0; j < model_.dimension; ++j) {
                row.push_back(shared(mass().matrix[i * model_.dimension + j]));
            }
            rows.push_back(toml_list(row, 8));
        }
        entries.emplace_back("mass", toml_list(rows, 7));
    } else if (every) {
        entries.emplace_back("mass", shared(*every));
    } else if (plain > 0 && !mass().diagonal.empty()) {
        std::vector<std::string> each;
        for (std::size_t k = 0; k < plain; ++k) {
            each.push_back(shared(block_of(k).value.kernel));
        }
        entries.emplace_back("mass", toml_list(each, 7));
    }
    if (model_.kinetic && !model_.variable_mass) {
        entries.emplace_back("kinetic", shared(model_.kinetic->value));
    }
    if (model_.hamiltonian) {
        entries.emplace_back("hamiltonian", shared(model_.hamiltonian->value));
    }
    if (model_.gravity) {
        std::vector<std::string> components;
        for (const auto& component : model_.gravity->vector) {
            components.push_back(toml_formula(component));
        }
        entries.emplace_back("gravity", toml_list(components, 11));
    }
    Entries parts, rows, rolling;
    for (std::size_t k = 0; k < terms_in_dynamics(); ++k) {
        const auto& term = model_.potential[k];
        (term.part == 0 ? entries : parts)
            .emplace_back(term.part == 0 ? "potential" : part_name(term.part), shared(term.formula.kernel));
    }
    std::vector<std::string> numbered, numbered_rolling;
    for (std::size_t k = 0, count = 0; k < constraints_in_dynamics(); k += count) {
        const auto& row = model_.constraints[k];
        count = components_from(model_.constraints, k);
        std::vector<std::string> components;
        for (std::size_t c = 0; c < count; ++c) {
            components.push_back(shared(model_.constraints[k + c].term.formula.kernel));
        }
        if (row.numbered) {
            numbered.push_back(components[0]);
        } else {
            rows.emplace_back(without_component(row.name), count == 1 ? components[0] : toml_list(components, 4));
        }
    }
    if (!numbered.empty()) {
        entries.emplace_back("constraints", toml_list(numbered, 14));
    }
    const bool some_numbered = std::ranges::any_of(model_.nonholonomic, &Nonholonomic::numbered);
    for (const auto& [name, is_numbered, equation, of_joint] : model_.nonholonomic) {
        if (of_joint) {
            continue;
        }
        if (some_numbered) {
            const auto text = shared(equation.value);
            numbered_rolling.push_back(is_numbered ? text : toml_inline_table({{name, text}}));
        } else {
            rolling.emplace_back(name, shared(equation.value));
        }
    }
    if (!numbered_rolling.empty()) {
        entries.emplace_back("nonholonomic", toml_list(numbered_rolling, 15));
    }
    if (!model_.carry_redundant) {
        entries.emplace_back("redundant", toml_quoted("error"));
    }
    if (model_.reaction_length) {
        entries.emplace_back("length", toml_formula(*model_.reaction_length));
    }
    const auto add_table = [&](const std::string& key, const Entries& table) {
        const auto text = toml_inline_table(table);
        const bool is_short = !table.empty() && key.size() + text.size() <= 100;
        if (is_short) {
            entries.emplace_back(key, text);
        }
        return is_short;
    };
    const bool short_parts = add_table("potential", parts), short_rows = add_table("constraints", rows),
               short_rolling = add_table("nonholonomic", rolling);
    section("dynamics", entries);
    section("dynamics.potential", short_parts ? Entries{} : parts);
    section("dynamics.constraints", short_rows ? Entries{} : rows);
    section("dynamics.nonholonomic", short_rolling ? Entries{} : rolling);
}

void ModelText::write_families() {
    // `terms`: one, or the components of a vector.
    const auto block = [&](const char* header, std::span<const Term* const> terms, const char* key,
                           const Entries& more) {
        const auto& origin = *terms[0]->origin;
        if (!origin.names.empty() && terms[0]->formula.instances == 0 && origin.over.empty()) {
            return;  // the rows of an empty table
        }
        std::vector<std::string> formulas;
        for (const auto* term : terms) {
            const auto text =
                has_no_range(*term) ? shared(term->formula.kernel) : toml_quoted(to_string(term->formula.kernel));
            formulas.push_back(text.front() == '"' ? text : toml_quoted(text));
        }
        auto entries = family_entries(origin);
        entries.emplace_back(key, formulas.size() == 1 ? formulas[0] : toml_list(formulas, 12));
        entries.insert(entries.end(), more.begin(), more.end());
        section(header, entries);
    };
    for (std::size_t k = terms_in_dynamics(); k < written_terms(); ++k) {
        const auto& term = model_.potential[k];
        block("[energy]", std::array{&term}, "term",
              term.part == 0 ? Entries{} : Entries{{"part", toml_quoted(part_name(term.part))}});
    }
    for (std::size_t k = constraints_in_dynamics(), count = 0; k < model_.constraints.size(); k += count) {
        const auto& row = model_.constraints[k];
        count = components_from(model_.constraints, k);
        std::vector<const Term*> terms;
        for (std::size_t c = 0; c < count; ++c) {
            terms.push_back(&model_.constraints[k + c].term);
        }
        if (!is_rigid_name(row.name) && !belongs_to_joint(model_, row)) {
            block("[constraint]", terms, "equation",
                  row.numbered ? Entries{{"numbered", "true"}}
                               : Entries{{"name", toml_quoted(std::string(without_component(row.name)))}});
        }
    }
}

void ModelText::write_field() {
    if (!model_.field) {
        return;
    }
    const auto& field = *model_.field;
    if (!field.blocks.empty()) {
        std::vector<std::string> blocks;
        for (const auto& numbers : field.blocks) {
            std::vector<std::string> names;
            for (const auto k : numbers) {
                names.push_back(toml_quoted(model_.coordinate_name(k)));
            }
            blocks.push_back(toml_list(names, 10));
        }
        section("field", {{"blocks", toml_list(blocks, 9)}});
    }
    for (const auto& [key, equations] : {std::pair("q", &field.q), std::pair("v", &field.v)}) {
        Entries entries;
        for (std::size_t k = 0; k < equations->size(); ++k) {
            entries.emplace_back(model_.coordinate_name(k), shared((*equations)[k].value));
        }
        section(fmt::format("field.{}", key), entries);
    }
}

void ModelText::write_forces() {
    constexpr std::array classes{"conservative", "dissipative", "driving", "stiff"};
    for (const auto& force : model_.forces) {
        Entries on;
        for (const auto& [coordinate, value] : force.on) {
            on.emplace_back(model_.coordinate_name(coordinate), shared(value.value));
        }
        Entries facts{{"name", toml_quoted(force.name)},
                      {"class", toml_quoted(classes.at(static_cast<std::size_t>(force.kind)))}};
        const auto table = toml_inline_table(on);
        if (table.size() <= 100) {
            facts.emplace_back("on", table);
            on.clear();
        }
        section("[forces]", facts);
        section("forces.on", on);
    }
}

}  // namespace libration
