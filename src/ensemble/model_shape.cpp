// Listing sizes and formulas.
#include "model_shape.hpp"

namespace libration {

ModelShape::ModelShape(const Model& model, ShapeOf part) {
    add(model.dimension, model.constraint_rows, model.multipliers());
    for (const auto& parameter : model.parameters) {
        add(parameter.values.size());
    }
    for (const auto& term : model.potential) {
        add_term(term);
    }
    for (const auto& constraint : model.constraints) {
        add_term(constraint.term);
    }
    for (const auto& block : model.mass.diagonal) {
        add_formula(block.value);
    }
    if (part == ShapeOf::equations) {
        add_whole_formulas(model);
        add_forces(model);
    } else {
        add_start(model);
    }
}

void ModelShape::add_start(const Model& model) {
    add(model.initial.size());
    for (const auto& block : model.initial) {
        add_formula(block.value);
    }
    for (const auto& observable : model.observables) {
        add_expression(observable.value);
    }
}

void ModelShape::add_whole_formulas(const Model& model) {
    for (const auto& entry : model.mass.matrix) {
        add_expression(entry);
    }
    for (const auto* whole : {&model.kinetic, &model.hamiltonian}) {
        add(whole->has_value());
        if (*whole) {
            add_expression((*whole)->value);
        }
    }
    for (const auto& constraint : model.nonholonomic) {
        add_expression(constraint.equation.value);
    }
    for (const auto& winding : model.windings) {
        add_expression(winding.angle);
    }
}

void ModelShape::add_forces(const Model& model) {
    for (const auto& force : model.forces) {
        add(force.kind);
        for (const auto& component : force.on) {
            add(component.coordinate);
            add_expression(component.value.value);
        }
    }
}

// Kept alive: another one must not get its address.
void ModelShape::add_expression(const Expression& expression) { expressions_.push_back(expression); }

void ModelShape::add_formula(const Formula& formula) {
    add_expression(formula.kernel);
    add(formula.instances, formula.parameters.size());
    for (const auto& parameter : formula.parameters) {
        if (parameter.kind == InstanceParameter::Kind::sum) {
            add_formula(parameter.sum->summand);
            continue;
        }
        for (std::size_t k = 0; k < formula.instances; ++k) {
            add(parameter.integers[k]);
        }
    }
}

void ModelShape::add_term(const Term& term) {
    add_formula(term.formula);
    numbers_.insert(numbers_.end(), term.indices.begin(), term.indices.end());
}

}  // namespace libration
