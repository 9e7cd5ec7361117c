// The C++ interface of model construction.
#include <libration/model/builder.hpp>

#include "draft.hpp"
#include "joint_formulas.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

ModelBuilder::ModelBuilder(std::string name) : draft_(std::make_unique<Draft>(std::move(name))) {}
ModelBuilder::~ModelBuilder() = default;

Expression ModelBuilder::parameter(const std::string& name, const Expression& value) {
    draft_->add_parameter({name, {value}, false, std::nullopt, {}});
    return symbol(name);
}

Table ModelBuilder::table(const std::string& name, const std::vector<Expression>& x, const std::vector<Expression>& y,
                          Table::Kind kind) {
    Table table(name, x, y, kind);
    draft_->add_table(table, {});
    return table;
}

std::vector<Expression> ModelBuilder::coordinates(const std::vector<std::string>& names) {
    for (const auto& name : names) {
        draft_->add_coordinate(name, {});
    }
    return coordinate_symbols();
}

Expression ModelBuilder::angle(const std::string& name, const Expression& sine, const Expression& cosine,
                               const Expression& start) {
    draft_->require_free_angle(name, {});
    return draft_->add_winding(name, sine, cosine, draft_->resolved(start), {});
}

std::vector<Expression> ModelBuilder::coordinate_symbols() const { return draft_->model().coordinate_symbols(); }

BodySymbols ModelBuilder::body(const BodyProperties& given) {
    draft_->add_body(given);
    if (given.start) {
        draft_->place_start(draft_->model().bodies.back());
    }
    return body_symbols(draft_->model().bodies.back());
}

JointSymbols ModelBuilder::joint(const JointProperties& given) { return joint_symbols(draft_->add_joint(given)); }

ModelBuilder& ModelBuilder::mass(const Expression& every) {
    draft_->set_mass_of_all(draft_->resolved(every));
    return *this;
}

ModelBuilder& ModelBuilder::mass(const std::vector<Expression>& one_each) {
    draft_->model().mass.diagonal.clear();
    for (const auto& value : one_each) {
        draft_->model().mass.diagonal.push_back({draft_->single_formula(draft_->resolved(value)), 1});
    }
    return *this;
}

ModelBuilder& ModelBuilder::mass_matrix(const std::vector<std::vector<Expression>>& rows) {
    auto& matrix = draft_->model().mass.matrix;
    matrix.clear();
    for (const auto& row : rows) {
        for (const auto& entry : row) {
            matrix.push_back(draft_->resolved(entry));
        }
    }
    return *this;
}

Expression ModelBuilder::time() const { return symbol("t"); }
std::vector<Expression> ModelBuilder::momenta() const { return draft_->model().coordinate_symbols("p_"); }
std::vector<Expression> ModelBuilder::velocities() const { return draft_->model().coordinate_symbols("v_"); }

ModelBuilder& ModelBuilder::kinetic(const Expression& energy) {
    draft_->model().kinetic = {draft_->resolved(energy), {}};
    return *this;
}

ModelBuilder& ModelBuilder::hamiltonian(const Expression& energy) {
    draft_->model().hamiltonian = {draft_->resolved(energy), {}};
    return *this;
}

ModelBuilder& ModelBuilder::field(const std::vector<Expression>& q, const std::vector<Expression>& v) {
    Field field;
    for (const auto& equation : q) {
        field.q.push_back({draft_->resolved(equation), {}});
    }
    for (const auto& equation : v) {
        field.v.push_back({draft_->resolved(equation), {}});
    }
    draft_->model().field = std::move(field);
    return *this;
}

ModelBuilder& ModelBuilder::blocks(const std::vector<std::vector<std::uint32_t>>& numbers) {
    if (!draft_->model().field) {
        throw InputError("blocks belong to a field; call field first");
    }
    draft_->model().field->blocks = numbers;
    return *this;
}

ModelBuilder& ModelBuilder::potential(const Expression& energy) {
    draft_->model().potential.push_back(draft_->single_term(energy, {}));
    return *this;
}

ModelBuilder& ModelBuilder::potential(const Expression& energy, Part part) {
    potential(energy);
    draft_->model().potential.back().part = part;
    return *this;
}

ModelBuilder& ModelBuilder::constraint(const Expression& vanishing) {
    const auto name = fmt::format("g{}", draft_->model().constraint_rows + 1);
    draft_->add_constraint({draft_->single_term(vanishing, {}), name, false, true, 0});
    return *this;
}

ModelBuilder& ModelBuilder::constraint(const std::string& name, const Expression& vanishing) {
    draft_->add_constraint({draft_->single_term(vanishing, {}), name, false, false, 0});
    return *this;
}

ModelBuilder& ModelBuilder::external(ExternalFunctions functions) {
    draft_->set_external(std::make_shared<const ExternalFunctions>(std::move(functions)));
    return *this;
}

std::vector<Expression> ModelBuilder::multipliers() {
    draft_->add_rigid_rows();
    draft_->add_external_rows();
    draft_->add_rolling_rows();
    return draft_->model().multiplier_symbols();
}

ModelBuilder& ModelBuilder::nonholonomic(const Expression& vanishing) {
    const auto name = fmt::format("k{}", draft_->model().nonholonomic.size() + 1);
    draft_->model().nonholonomic.push_back({name, true, {draft_->resolved(vanishing), {}}, false});
    return *this;
}

ModelBuilder& ModelBuilder::nonholonomic(const std::string& name, const Expression& vanishing) {
    draft_->model().nonholonomic.push_back({name, false, {draft_->resolved(vanishing), {}}, false});
    return *this;
}

ModelBuilder& ModelBuilder::force(const ForceProperties& given) {
    Force force{given.name, given.kind, {}, {}};
    for (const auto& [key, value] : given.on) {
        force.on.push_back({draft_->coordinate(key.name, {}), {draft_->resolved(value), {}}});
    }
    draft_->model().forces.push_back(std::move(force));
    return *this;
}

ModelBuilder& ModelBuilder::spark(const std::string& term, const LobattoWeights& weights) {
    draft_->model().treatment.choices.push_back({term, std::nullopt, weights, {}});
    return *this;
}

ModelBuilder& ModelBuilder::spark(const std::string& term, const LobattoWeights& weights,
                                  const CoordinateKey& coordinate) {
    draft_->model().treatment.choices.push_back({term, draft_->coordinate(coordinate.name, {}), weights, {}});
    return *this;
}

ModelBuilder& ModelBuilder::spark(const std::string& term, Lobatto only) { return spark(term, weights_of(only)); }

ModelBuilder& ModelBuilder::spark(const std::string& term, Lobatto only, const CoordinateKey& coordinate) {
    return spark(term, weights_of(only), coordinate);
}

ModelBuilder& ModelBuilder::full_newton() {
    draft_->model().treatment.full_newton = true;
    return *this;
}

ModelBuilder& ModelBuilder::observable(const std::string& name, const Expression& value) {
    draft_->require_free_column(name, {});
    draft_->model().observables.push_back({name, draft_->resolved(value), false});
    return *this;
}

ModelBuilder& ModelBuilder::invariant(const std::string& name, const Expression& value) {
    draft_->require_free_column(name, {});
    draft_->model().observables.push_back({name, draft_->resolved(value), true});
    return *this;
}

ModelBuilder& ModelBuilder::event(Event event) {
    event.value = draft_->resolved(event.value);
    draft_->add_event(std::move(event));
    return *this;
}

ModelBuilder& ModelBuilder::assemble(const std::vector<Expression>& hold, std::size_t branch) {
    AssemblyChoices choices;
    choices.branch = branch;
    for (const auto& value : hold) {
        choices.hold.push_back({to_string(value), draft_->resolved(value), {}});
    }
    draft_->model().assembly = std::move(choices);
    return *this;
}

ModelBuilder& ModelBuilder::initial(InitialValue::Kind kind, const std::vector<Expression>& values, const char* what) {
    if (values.size() != draft_->model().dimension && values.size() != draft_->model().plain_coordinates.size()) {
        throw InputError(
            fmt::format("{} initial {} are given for {} coordinates", values.size(), what, draft_->model().dimension));
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
        draft_->model().initial.push_back(
            {kind, draft_->single_formula(draft_->resolved(values[k])), {static_cast<std::uint32_t>(k)}});
    }
    return *this;
}

ModelBuilder& ModelBuilder::initial_body(const std::string& name, const BodyStart& start) {
    const auto& bodies = draft_->model().bodies;
    const auto found = std::ranges::find(bodies, name, &Body::name);
    if (found == bodies.end()) {
        throw InputError(fmt::format("there is no body '{}'; add it with body first", name));
    }
    draft_->start_body(*found, start);
    return *this;
}

ModelBuilder& ModelBuilder::initial_position(const std::vector<Expression>& q) {
    return initial(InitialValue::Kind::position, q, "positions");
}
ModelBuilder& ModelBuilder::initial_momentum(const std::vector<Expression>& p) {
    return initial(InitialValue::Kind::momentum, p, "momenta");
}
ModelBuilder& ModelBuilder::initial_velocity(const std::vector<Expression>& v) {
    return initial(InitialValue::Kind::velocity, v, "velocities");
}

Model ModelBuilder::build() {
    draft_->place_masses();
    Model model = draft_->finish();
    draft_ = std::make_unique<Draft>("");
    return model;
}

}  // namespace libration
