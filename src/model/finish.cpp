// The checks that a whole model must pass.
#include "check_joints.hpp"
#include "draft.hpp"
#include "dynamics.hpp"
#include "forces.hpp"
#include "nonholonomic.hpp"
#include "overrides.hpp"

#include "model_values.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

void check_term_symbols(const Model& model, const Term& term, const std::string& what) {
    std::vector<Expression> known = term.slots;
    for (const auto& parameter : term.formula.parameters) {
        known.push_back(parameter.symbol);
    }
    for (const auto& parameter : model.parameters) {
        known.push_back(symbol(parameter.name));
    }
    if (term.uses_time) {
        known.push_back(symbol("t"));
    }
    std::ranges::transform(model.windings, std::back_inserter(known), &Winding::reference);
    for (const auto& s : symbols_of(std::array{term.formula.kernel})) {
        if (std::ranges::find(known, s) == known.end()) {
            throw InputError(term.place,
                             fmt::format("{} uses '{}', which is neither a coordinate nor a parameter of the model",
                                         what, s.text()));
        }
    }
}

void check_diagonal_mass(Model& model, const ParameterValues<double>& given) {
    std::size_t coordinate = 0;
    for (const auto& block : model.mass.diagonal) {
        for (const double value : instance_values(block.value, given)) {
            model.singular_mass = model.singular_mass || value == 0;
            if (!(value >= 0) || !std::isfinite(value)) {
                const auto name = coordinate < model.dimension ? model.coordinate_name(coordinate) : "?";
                throw InputError(block.place, fmt::format("the mass of {} is {}; every mass must be positive and"
                                                          " finite, or zero",
                                                          name, value));
            }
            coordinate += block.repeat;
        }
    }
    if (coordinate != model.dimension) {
        throw InputError(model.mass.place, fmt::format("masses are given for {} coordinates, the model has {}",
                                                       coordinate, model.dimension));
    }
}

void check_mass_matrix(Model& model, const ParameterValues<double>& given) {
    const std::size_t d = model.dimension;
    if (model.mass.matrix.size() != d * d) {
        throw InputError(model.mass.place, fmt::format("the mass matrix must have {} rows of {} numbers", d, d));
    }
    std::vector<double> m;
    for (const auto& entry : model.mass.matrix) {
        const auto program = compiled(given.programs.get(), std::array{entry}, {}, given.symbols);
        m.push_back(Tape<double>(program, given.values).output(0));
    }
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!nearly_equal_entries(m, d, i, j)) {
                throw InputError(model.mass.place, fmt::format("the mass matrix is not symmetric: entry ({},{}) is {}, "
                                                               "entry ({},{}) is {}",
                                                               i + 1, j + 1, m[i * d + j], j + 1, i + 1, m[j * d + i]));
            }
        }
    }
    if (const auto row = indefinite_row(m, d)) {
        if (is_singular_mass(m, d)) {
            model.singular_mass = true;
            return;
        }
        throw InputError(model.mass.place,
                         fmt::format("the mass matrix is not positive definite (detected at row {}, coordinate {})",
                                     *row + 1, model.coordinate_name(*row)));
    }
}

void check_initial_counts(const Model& model) {
    std::vector<int> times(model.dimension, 0), moving(model.dimension, 0);
    for (const auto& block : model.initial) {
        for (const auto k : block.coordinates) {
            ++(block.kind == InitialValue::Kind::position ? times : moving)[k];
        }
    }
    for (std::size_t k = 0; k < model.dimension; ++k) {
        if (moving[k] > 1) {
            throw InputError(fmt::format("the initial momentum or velocity of {} is given {} times; give it once",
                                         model.coordinate_name(k), moving[k]));
        }
        if (times[k] != 1) {
            throw InputError(fmt::format(
                "the initial value of {} is given {} times; give every coordinate one value under `[initial]`",
                model.coordinate_name(k), times[k] == 0 ? "no" : std::to_string(times[k])));
        }
    }
}

void check_initial_values(const Model& model, const InitialState<double>& state) {
    for (std::size_t k = 0; k < model.dimension; ++k) {
        for (const double value : {state.q[k], state.momentum[k], state.velocity[k]}) {
            if (!std::isfinite(value)) {
                throw InputError(
                    fmt::format("an initial value of {} is not a finite number (position {}, momentum {}, velocity {})",
                                model.coordinate_name(k), state.q[k], state.momentum[k], state.velocity[k]));
            }
        }
    }
}

void check_parameters(const Model& model, const ParameterValues<double>& given) {
    for (std::size_t k = 0; k < given.symbols.size(); ++k) {
        if (!std::isfinite(given.values[k])) {
            const auto& name = given.symbols[k].text();
            if (const auto angle = std::ranges::find(model.windings, given.symbols[k], &Winding::reference);
                angle != model.windings.end()) {
                throw InputError(angle->place,
                                 fmt::format("the angle {} starts at {}, not a finite number; correct 'start'",
                                             angle->name, given.values[k]));
            }
            const auto found = std::ranges::find(model.parameters, name, &Parameter::name);
            throw InputError(found->place,
                             fmt::format("the parameter {} is {}, not a finite number", name, given.values[k]));
        }
    }
}

void check_nonnegative(const Model& model, const ParameterValues<double>& given) {
    for (const auto& number : model.nonnegative) {
        const auto program = compiled(given.programs.get(), std::array{number.value}, {}, given.symbols);
        const double value = Tape<double>(program, given.values).output(0);
        if (!(value >= 0) || !std::isfinite(value)) {
            throw InputError(number.place,
                             fmt::format("{} is {}; it must be a number that is not negative", number.name, value));
        }
    }
}

// The initial values, and M at these.
void check_start(Model& model, const ParameterValues<double>& given) {
    const auto state = initial_state<double>(model, given);
    check_initial_values(model, state);
    check_orientations(model, state.q);
    check_joints(model, given, state);
    check_set_angles(model, given, state);
}

void check_masses(Model& model, const ParameterValues<double>& given) {
    if (model.kinetic) {
        check_kinetic(model);
    } else if (!model.mass.matrix.empty()) {
        check_mass_matrix(model, given);
    } else if (!model.field && !model.hamiltonian) {
        check_diagonal_mass(model, given);
    }
}

}  // namespace

void check_values(Model& model) {
    const auto given = parameter_values<double>(model);
    check_parameters(model, given);
    check_nonnegative(model, given);
    check_start(model, given);
    model.singular_mass = false;
    check_masses(model, given);
    if (model.singular_mass) {
        check_singular_mass(model);
    }
    settle_spark(model);
}

Model Draft::finish() {
    (void)numbers();
    model_.programs = std::make_shared<ProgramStore>();
    const auto given = parameter_values<double>(model_);
    check_parameters(model_, given);
    if (model_.dimension == 0) {
        throw InputError("the model has no coordinates; list them, e.g. `[coordinates] q = [\"x\", \"y\"]`");
    }
    check_nonnegative(model_, given);
    finish_bodies();
    add_external_rows();
    number_rolling_rows();
    add_gravity();
    for (const auto& term : model_.potential) {
        check_term_symbols(model_, term, "the potential");
        refuse_condition(term.formula.kernel, term.place, "the potential", number_advice);
    }
    for (const auto& constraint : model_.constraints) {
        const auto what = fmt::format("the constraint {}", constraint.name);
        check_term_symbols(model_, constraint.term, what);
        refuse_condition(constraint.term.formula.kernel, constraint.term.place, what, zero_advice);
        if (constraint.term.slots.empty()) {
            throw InputError(constraint.term.place,
                             fmt::format("the constraint {} contains no coordinate", constraint.name));
        }
    }
    check_dynamics(model_);
    settle_parts(model_);
    if (model_.field) {
        check_field(model_);
    }
    check_initial_counts(model_);
    model_.initial.insert(model_.initial.end(), overriding_.begin(), overriding_.end());  // the last value counts
    model_.replaced_initial = overriding_.size();
    // Places of two bodies need not meet at the start.
    if (!model_.assembly && std::ranges::any_of(model_.joints, &Joint::rough)) {
        model_.assembly.emplace();
    }
    check_start(model_, given);
    const auto matrix = model_.mass.matrix;
    mass_to_kinetic(model_);
    for (const auto& entry : model_.kinetic ? matrix : std::vector<Expression>{}) {
        note_number(entry);  // the symmetry of a mass matrix is seen before it becomes a kinetic energy
    }
    check_masses(model_, given);
    check_external(model_);
    check_nonholonomic(model_);
    if (model_.singular_mass) {
        check_singular_mass(model_);
    }
    check_forces(model_);
    settle_spark(model_);
    for (auto& [name, definition] : definitions_) {
        model_.definitions.push_back({name, std::move(definition.value)});
    }
    mark_read_parameters();
    return std::move(model_);
}

}  // namespace libration
