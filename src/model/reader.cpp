// Sections of a model file: parameters, coordinates, points.
#include "reader.hpp"
#include "separate_elements.hpp"

#include "definitions.hpp"
#include "memory.hpp"

#include "model_values.hpp"
#include "text/shorten.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

const std::vector<std::string> sections{"name",     "description", "source",      "parameters", "coordinates",
                                        "points",   "dynamics",    "observables", "initial",    "run",
                                        "energy",   "constraint",  "field",       "body",       "forces",
                                        "spark",    "events",      "definitions", "set",        "tables",
                                        "angles",   "joint",       "spring",      "damper",     "bushing",
                                        "assembly", "certify"};  // the laboratory reads the last one

// Parameters may use each other in any order; `i` makes one of them a formula in the index.
class ParameterScope final : public Scope {
  public:
    ParameterScope(std::vector<std::string> names, const Model& model) : names_(std::move(names)), model_(&model) {}
    std::optional<Value> name(std::string_view name) override {
        if (std::ranges::find(names_, name) != names_.end()) {
            return Value{{symbol(name)}};
        }
        if (name == "i") {
            uses_index = true;
            return Value{{symbol(name)}};
        }
        return std::nullopt;
    }
    std::optional<Value> element(std::string_view, const Expression&) override {
        throw std::invalid_argument("elements of lists are not available inside `[parameters]`");
    }
    std::optional<Expression> table(std::string_view name) override { return ModelScope(*model_, {}, {}).table(name); }
    [[nodiscard]] std::vector<std::string> table_names() const override {
        return ModelScope(*model_, {}, {}).table_names();
    }
    Value sum(const std::string&, const Expression&, const Expression&, const std::function<Value(Scope&)>&) override {
        throw std::invalid_argument("sum is not available inside `[parameters]`");
    }
    [[nodiscard]] std::vector<std::string> names() const override { return names_; }

    bool uses_index = false;

  private:
    std::vector<std::string> names_;
    const Model* model_;
};

}  // namespace

ModelReader::ModelReader(const Document& document, const Overrides& overrides, const std::string& default_name)
    : document_(document), overrides_(with_set(document, overrides)), draft_(default_name) {}

Model ModelReader::read(std::shared_ptr<const ExternalFunctions> external) {
    document_.allow_only(sections, "the model");
    for (const auto& [key, target] : {std::pair{"name", &Model::name}, std::pair{"description", &Model::description},
                                      std::pair{"source", &Model::source}}) {
        if (const auto* value = document_.find(key)) {
            if (value->kind != Document::Kind::text) {
                value->fail(fmt::format("'{}' must be a string", key));
            }
            if (!value->text.empty()) {
                draft_.model().*target = value->text;
            }
        }
    }
    for (const auto* key : {"parameters", "coordinates", "points", "dynamics", "observables", "initial", "run", "field",
                            "spark", "definitions", "set", "tables", "angles", "assembly"}) {
        if (const auto* section = document_.find(key); section != nullptr && section->kind != Document::Kind::table) {
            section->fail(fmt::format("[{}] must be a table, not {}", key, libration::name(section->kind)));
        }
    }
    for (const auto* key :
         {"energy", "constraint", "body", "joint", "spring", "damper", "bushing", "forces", "events"}) {
        const auto* blocks = document_.find(key);
        if (blocks != nullptr &&
            (blocks->kind != Document::Kind::list ||
             std::ranges::any_of(blocks->items, [](const auto& b) { return b.kind != Document::Kind::table; }))) {
            blocks->fail(fmt::format("'{0}' is written as one or more blocks [[{0}]]", key));
        }
    }
    if (const auto* dynamics = document_.find("dynamics")) {
        dynamics->allow_only(std::array<std::string, 9>{"mass", "gravity", "potential", "constraints", "nonholonomic",
                                                        "kinetic", "hamiltonian", "redundant", "length"},
                             "`[dynamics]`");
    }
    read_tables();
    read_parameters();
    read_coordinates();
    read_points();
    read_bodies();
    read_angles();
    if (document_.find("joint") == nullptr) {
        read_definitions();
        read_body_starts();
    } else {  // definitions may contain hinge.angle, and joints need to know where bodies start
        read_body_starts();
        read_joints();
        read_definitions();
    }
    check_overrides();
    read_mass();
    read_whole_energies();
    read_potential();
    read_springs();
    read_bushings();
    read_gravity();
    read_field();
    read_constraints();
    read_redundant();
    draft_.add_rigid_rows();
    draft_.set_external(std::move(external));
    draft_.add_external_rows();
    read_nonholonomic();
    draft_.add_rolling_rows();
    draft_.set_definitions(definitions_of(document_, draft_.model(), draft_.numbers(), true));
    read_forces();
    read_dampers();
    read_bushing_dampers();
    read_spark();
    read_initial();
    override_initial_values();
    read_observables();
    read_events();
    read_assembly();
    read_run();
    draft_.model().overrides = overrides_;
    return draft_.finish();
}

double ModelReader::number(const Document& value, std::string_view what) {
    auto scope = draft_.scope({});
    const auto expression = formula(value, scope, what);
    const auto given = parameter_values<double>(draft_.model());
    draft_.note_number(expression);
    return Tape<double>(compile(std::array{expression}, {}, given.symbols), given.values).output(0);
}

const Document& ModelReader::require(const Document& table, const std::string& key, Document::Kind kind,
                                     std::string_view where) const {
    const auto* value = table.find(key);
    if (value == nullptr) {
        table.fail(fmt::format("{} needs the key '{}'", where, key));
    }
    if (value->kind != kind) {
        value->fail(fmt::format("'{}' in {} must be {}, not {}", key, where, libration::name(kind),
                                libration::name(value->kind)));
    }
    return *value;
}

const Document& ModelReader::require_formula(const Document& table, const std::string& key,
                                             std::string_view where) const {
    const auto* value = table.find(key);
    return value != nullptr && value->kind == Document::Kind::expression
               ? *value
               : require(table, key, Document::Kind::text, where);
}

void ModelReader::read_parameters() {
    const auto* section = document_.find("parameters");
    if (section == nullptr) {
        return;
    }
    for (const auto& [name, value] : section->entries) {
        read_parameter(name, value);
    }
    (void)draft_.numbers();  // finds circles before anything uses them
}

void ModelReader::read_parameter(const std::string& name, const Document& value) {
    if (is_table_of_tuples(value)) {
        if (std::ranges::find(overrides_, name, [](const auto& pair) { return pair.first; }) != overrides_.end()) {
            throw InputError(
                fmt::format("`set = {}`: it is a table of indices and can only be changed in the model", name));
        }
        tables_.emplace(name, index_table(value));
        return;
    }
    std::vector<std::string> names;
    for (const auto& [other, unused] : document_.find("parameters")->entries) {
        names.push_back(other);
    }
    const auto what = fmt::format("the parameter {}", name);
    Parameter parameter{name, {}, false, std::nullopt, value.key_place};
    ParameterScope scope(names, draft_.model());
    const auto override = std::ranges::find(overrides_, name, [](const auto& pair) { return pair.first; });
    if (override != overrides_.end()) {
        ParameterScope constants({}, draft_.model());
        const auto said = given_override(name, override->second);
        parameter.values.push_back(parse(override->second, constants, {}, said));
        const auto given = fmt::format("{}={}", name, override->second);
        parameter.place = {std::make_shared<Source>(Source{said, given, true}), 1, 2 + name.size(), nullptr};
        if (constants.uses_index) {
            throw InputError(fmt::format("{}: the value must be a constant expression", said));
        }
    } else if (value.kind == Document::Kind::list) {
        parameter.list = true;
        for (const auto& item : value.items) {
            parameter.values.push_back(formula(item, scope, what));
        }
    } else {
        parameter.values.push_back(formula(value, scope, what));
    }
    if (scope.uses_index) {
        if (parameter.list) {
            value.fail(fmt::format("{} is a list; its elements are constants", what));
        }
        parameter.function_of_index = parameter.values[0];
        parameter.values.clear();
    }
    if (const auto* use = ElementWatch::applied(name)) {
        parameter.list = true;
        parameter.function_of_index.reset();
        parameter.values = use->values;
        for (const auto k : use->named) {
            draft_.model().parameters.push_back(
                {element_name(name, k), {use->values[static_cast<std::size_t>(k)]}, false, {}, value.key_place});
        }
    }
    draft_.add_parameter(std::move(parameter));
}

void ModelReader::read_definitions() {
    if (const auto* section = document_.find("definitions")) {
        for (const auto& [name, value] : section->entries) {
            draft_.add_definition(name, value.key_place);
        }
        draft_.set_definitions(definitions_of(document_, draft_.model(), draft_.numbers(), false));
    }
}

void ModelReader::read_coordinates() {
    const auto* section = document_.find("coordinates");
    if (section == nullptr) {
        return;
    }
    section->allow_only(std::array<std::string, 1>{"q"}, "`[coordinates]`");
    for (const auto& item : require(*section, "q", Document::Kind::list, "`[coordinates]`").items) {
        if (item.kind != Document::Kind::text) {
            item.fail("a coordinate is a name in quotes");
        }
        draft_.add_coordinate(item.text, item.place);
    }
}

void ModelReader::read_points() {
    const auto* section = document_.find("points");
    if (section == nullptr) {
        return;
    }
    for (const auto& [name, value] : section->entries) {
        const auto where = fmt::format("`[points] {}`", name);
        if (value.kind != Document::Kind::table) {
            value.fail(fmt::format("{} must be a table such as {{ count = \"n\", dimension = 2, mass = 1 }}", where));
        }
        value.allow_only(std::array<std::string, 3>{"count", "dimension", "mass"}, where);
        const auto* count = value.find("count");
        const auto* dimension = value.find("dimension");
        if (count == nullptr || dimension == nullptr) {
            value.fail(fmt::format("{} needs the keys 'count' and 'dimension'", where));
        }
        const double n = number(*count, "the count of " + where);
        const double d = number(*dimension, "the dimension of " + where);
        if (!(n >= 1) || n != std::round(n)) {
            count->fail(fmt::format("{} has {} points; the count must be a whole number from 1 on", where, n));
        }
        if (d != 1 && d != 2 && d != 3) {
            dimension->fail(fmt::format("{} has dimension {}; it must be 1, 2 or 3", where, d));
        }
        require_memory({static_cast<double>(draft_.model().dimension) + n * d, bytes_a_coordinate, "coordinates"},
                       fmt::format("the model, with {:.10g} points {}", n, name), count->place);
        auto parameters = draft_.scope({});
        const auto counted = formula(*count, parameters, "the count of " + where);
        draft_.add_points({name, static_cast<std::size_t>(n), static_cast<std::size_t>(d), 0,
                           counted.is(Op::constant) ? std::string() : to_string(counted)},
                          value.key_place);
        const auto* mass = value.find("mass");
        point_masses_.push_back(mass == nullptr ? std::vector<Mass::Block>()
                                                : point_masses(draft_.model().points.back(), *mass));
    }
}

std::vector<Mass::Block> ModelReader::point_masses(const PointGroup& group, const Document& mass) {
    const auto what = fmt::format("the mass of `[points] {}`", group.name);
    if (mass.kind != Document::Kind::list) {
        auto scope = draft_.scope({}, {"i"});
        const auto kernel = formula(mass, scope, what);
        return {Draft::point_mass(group, kernel, scope, mass.place)};
    }
    if (mass.items.size() != group.count) {
        mass.fail(fmt::format("`[points] {}` has {} point{} and {} mass{}; give one mass per point, or one for all",
                              group.name, group.count, group.count == 1 ? "" : "s", mass.items.size(),
                              mass.items.size() == 1 ? "" : "es"));
    }
    auto scope = draft_.scope({});
    std::vector<Mass::Block> blocks;
    blocks.reserve(group.count);
    for (const auto& item : mass.items) {
        blocks.push_back({draft_.single_formula(formula(item, scope, what)), group.dimension, item.place});
    }
    return blocks;
}

}  // namespace libration
