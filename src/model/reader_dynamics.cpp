// Sections of a model file: mass, kinetic energy, Hamiltonian, potential and its parts, fields.
#include "family_names.hpp"
#include "reader.hpp"

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

constexpr std::array<std::pair<const char*, Part>, 3> part_names{
    {{"slow", slow_part}, {"fast", fast_part}, {"stiff", stiff_part}}};

}  // namespace

Part ModelReader::part_of(const Document& value) {
    for (const auto& [name, part] : part_names) {
        if (value.kind == Document::Kind::text && value.text == name) {
            return part;
        }
    }
    value.fail("the part of an energy is \"slow\", \"fast\" or \"stiff\"");
}

void ModelReader::read_mass() {
    auto& model = draft_.model();
    const auto* dynamics = document_.find("dynamics");
    const auto* mass = dynamics != nullptr ? dynamics->find("mass") : nullptr;
    const bool needs_mass = !model.plain_coordinates.empty() ||
                            std::ranges::any_of(point_masses_, [](const auto& masses) { return masses.empty(); });
    if (mass == nullptr) {
        if (needs_mass && document_.find("field") == nullptr &&
            (dynamics == nullptr ||
             (dynamics->find("kinetic") == nullptr && dynamics->find("hamiltonian") == nullptr))) {
            throw InputError(
                dynamics != nullptr ? dynamics->place : document_.place,
                "the masses are missing; write e.g. `[dynamics] mass = 1.0`, or a list with one mass per coordinate");
        }
        for (const auto& masses : point_masses_) {
            model.mass.diagonal.insert(model.mass.diagonal.end(), masses.begin(), masses.end());
        }
        return;
    }
    model.mass.place = mass->place;
    if (model.plain_coordinates.empty() && model.points.empty() && !model.bodies.empty()) {
        mass->fail(
            "`[dynamics] mass` is for the plain coordinates and points, and there are none; bodies have their own");
    }
    auto scope = draft_.scope({.coordinates = true, .time = true});
    if (is_table_of_tuples(*mass)) {
        if (!model.bodies.empty()) {
            mass->fail("a mass matrix and bodies exclude each other; give the masses of the plain coordinates as a "
                       "number or a list");
        }
        for (const auto& row : mass->items) {
            if (row.items.size() != model.dimension || mass->items.size() != model.dimension) {
                mass->fail(fmt::format("the mass matrix must have {0} rows of {0} numbers, one per coordinate",
                                       model.dimension));
            }
            for (const auto& entry : row.items) {
                model.mass.matrix.push_back(formula(entry, scope, "the mass matrix"));
            }
        }
        if (std::ranges::any_of(point_masses_, [](const auto& masses) { return !masses.empty(); })) {
            mass->fail("a mass matrix and masses of points exclude each other");
        }
        return;
    }
    const std::size_t plain = model.plain_coordinates.size();
    const auto every = mass->kind == Document::Kind::list ? Expression(0) : formula(*mass, scope, "the mass");
    if (mass->kind == Document::Kind::list) {
        if (mass->items.size() != plain) {
            mass->fail(fmt::format("{} masses are given for {} coordinates", mass->items.size(), plain));
        }
        for (const auto& item : mass->items) {
            model.mass.diagonal.push_back({draft_.single_formula(formula(item, scope, "the mass")), 1, item.place});
        }
    } else if (plain > 0) {
        model.mass.diagonal.push_back({draft_.single_formula(every), plain, mass->place});
    }
    for (std::size_t k = 0; k < model.points.size(); ++k) {
        const auto& group = model.points[k];
        if (const auto& masses = point_masses_[k]; !masses.empty()) {
            model.mass.diagonal.insert(model.mass.diagonal.end(), masses.begin(), masses.end());
        } else if (mass->kind == Document::Kind::list) {
            mass->fail(fmt::format("the points {} have no mass; add mass = ... to them under `[points]`", group.name));
        } else {
            model.mass.diagonal.push_back({draft_.single_formula(every), group.count * group.dimension, mass->place});
        }
    }
}

void ModelReader::read_whole_energies() {
    const auto* dynamics = document_.find("dynamics");
    if (dynamics == nullptr) {
        return;
    }
    if (const auto* kinetic = dynamics->find("kinetic")) {
        auto scope = draft_.scope({.coordinates = true, .velocities = true, .time = true});
        draft_.model().kinetic = {formula(*kinetic, scope, "the kinetic energy"), kinetic->place};
    }
    if (const auto* hamiltonian = dynamics->find("hamiltonian")) {
        auto scope = draft_.scope({.coordinates = true, .momenta = true, .time = true});
        draft_.model().hamiltonian = {formula(*hamiltonian, scope, "the hamiltonian"), hamiltonian->place};
    }
}

void ModelReader::read_potential() {
    const auto add = [&](const Document& value, const std::string& what, unsigned part) {
        auto scope = draft_.scope(for_potentials);
        const auto kernel = formula(value, scope, what);
        draft_.model().potential.push_back(scope.term(kernel, std::make_shared<Instances>(), value.place));
        draft_.model().potential.back().part = part;
    };
    const auto* dynamics = document_.find("dynamics");
    const auto* potential = dynamics != nullptr ? dynamics->find("potential") : nullptr;
    if (potential != nullptr && potential->kind == Document::Kind::table) {
        potential->allow_only(std::array<std::string, 3>{"slow", "fast", "stiff"}, "`[dynamics.potential]`");
        for (const auto& [name, part] : part_names) {
            if (const auto* value = potential->find(name)) {
                add(*value, fmt::format("the {} potential", name), part);
            }
        }
    } else if (potential != nullptr) {
        add(*potential, "the potential", 0);
    }
    if (const auto* blocks = document_.find("energy")) {
        for (const auto& block : blocks->items) {
            const auto all = instances(block, "`[[energy]]`", {"term", "part"});
            auto scope = draft_.scope(for_potentials, all->names);
            const auto& text = require_formula(block, "term", "`[[energy]]`");
            const auto add_term = [&](ModelScope& read, const std::shared_ptr<const Instances>& over) {
                draft_.model().potential.push_back(
                    read.term(formula(text, read, "`[[energy]] term`"), over, text.place));
                if (const auto* part = block.find("part")) {
                    draft_.model().potential.back().part = part_of(*part);
                }
            };
            if (all->names.empty() || !names_members(text, draft_.model())) {
                add_term(scope, all);
            } else {
                for_each_instance(for_potentials, *all,
                                  [&](ModelScope& numbered) { add_term(numbered, std::make_shared<Instances>()); });
            }
        }
    }
}

std::vector<WholeExpression> ModelReader::field_equations(const Document& section, const std::string& key,
                                                          Visible visible) {
    const auto& table = require(section, key, Document::Kind::table, "`[field]`");
    std::vector<std::string> names;
    for (std::size_t k = 0; k < draft_.model().dimension; ++k) {
        names.push_back(draft_.model().coordinate_name(k));
    }
    table.allow_only(names, fmt::format("`[field] {}`", key));
    std::vector<WholeExpression> equations;
    auto scope = draft_.scope(visible);
    for (const auto& name : names) {
        const auto* value = table.find(name);
        if (value == nullptr) {
            table.fail(
                fmt::format("`[field] {0}` has no equation for {1}; add `[field.{0}] {1} = \"...\"`", key, name));
        }
        equations.push_back({formula(*value, scope, fmt::format("the field {} of {}", key, name)), value->place});
    }
    return equations;
}

void ModelReader::read_field() {
    const auto* section = document_.find("field");
    if (section == nullptr) {
        return;
    }
    section->allow_only(std::array<std::string, 3>{"q", "v", "blocks"}, "`[field]`");
    const bool partitioned = section->find("v") != nullptr;
    const Visible visible{.coordinates = true, .velocities = partitioned, .time = true};
    Field field;
    field.place = section->place;
    field.q = field_equations(*section, "q", visible);
    if (partitioned) {
        field.v = field_equations(*section, "v", visible);
    }
    if (const auto* blocks = section->find("blocks")) {
        if (!is_table_of_tuples(*blocks)) {
            blocks->fail("blocks are lists of coordinates that move together, such as [[\"x\"], [\"y\", \"z\"]]");
        }
        for (const auto& block : blocks->items) {
            std::vector<std::uint32_t> numbers;
            for (const auto& item : block.items) {
                const auto number = draft_.model().coordinate_number(item.text);
                if (!number) {
                    item.fail(fmt::format("'{}' is not a coordinate{}", item.text,
                                          suggestion(item.text, draft_.model().plain_coordinates)));
                }
                numbers.push_back(static_cast<std::uint32_t>(*number));
            }
            field.blocks.push_back(std::move(numbers));
        }
        field.place = blocks->place;
    }
    draft_.model().field = std::move(field);
}

}  // namespace libration
