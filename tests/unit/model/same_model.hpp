// Whether two models are one: names, formulas node by node, tables, values, and the bits of a run.
#pragma once

#include "model/model_values.hpp"
#include "request/run_fields.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

namespace libration {

inline void expect_same_formula(const Formula& a, const Formula& b) {
    EXPECT_EQ(a.kernel, b.kernel) << to_string(a.kernel) << "\n" << to_string(b.kernel);
    EXPECT_EQ(a.instances, b.instances);
    ASSERT_EQ(a.parameters.size(), b.parameters.size());
    for (std::size_t p = 0; p < a.parameters.size(); ++p) {
        EXPECT_EQ(a.parameters[p].symbol, b.parameters[p].symbol);
        EXPECT_EQ(a.parameters[p].list, b.parameters[p].list);
        ASSERT_EQ(a.parameters[p].integers.size(), b.parameters[p].integers.size());
        for (std::size_t k = 0; k < a.parameters[p].integers.size(); ++k) {
            ASSERT_EQ(a.parameters[p].integers[k], b.parameters[p].integers[k]);
        }
        ASSERT_EQ(a.parameters[p].sum == nullptr, b.parameters[p].sum == nullptr);
        if (a.parameters[p].sum) {
            expect_same_formula(a.parameters[p].sum->summand, b.parameters[p].sum->summand);
        }
    }
}

inline void expect_same_term(const Term& a, const Term& b) {
    expect_same_formula(a.formula, b.formula);
    EXPECT_EQ(a.slots, b.slots);
    EXPECT_EQ(a.indices, b.indices);
    EXPECT_EQ(a.part, b.part);
    EXPECT_EQ(a.uses_time, b.uses_time);
    EXPECT_EQ(a.origin->names, b.origin->names);
    EXPECT_EQ(a.origin->over, b.origin->over);
}

inline void expect_same_mass(const Mass& a, const Mass& b) {
    EXPECT_EQ(a.matrix, b.matrix);
    ASSERT_EQ(a.diagonal.size(), b.diagonal.size());
    for (std::size_t k = 0; k < a.diagonal.size(); ++k) {
        expect_same_formula(a.diagonal[k].value, b.diagonal[k].value);
        EXPECT_EQ(a.diagonal[k].repeat, b.diagonal[k].repeat);
    }
}

inline void expect_same_state(const InitialState<double>& a, const InitialState<double>& b) {
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.momentum, b.momentum);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.has_momentum, b.has_momentum);
}

inline void expect_same_model(const Model& a, const Model& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.description, b.description);
    EXPECT_EQ(a.source, b.source);
    ASSERT_EQ(a.dimension, b.dimension);
    EXPECT_EQ(a.coordinate_symbols(), b.coordinate_symbols());
    EXPECT_EQ(a.multiplier_symbols(), b.multiplier_symbols());
    ASSERT_EQ(a.parameters.size(), b.parameters.size());
    for (std::size_t k = 0; k < a.parameters.size(); ++k) {
        EXPECT_EQ(a.parameters[k].name, b.parameters[k].name);
        EXPECT_EQ(a.parameters[k].values, b.parameters[k].values);
        EXPECT_EQ(a.parameters[k].list, b.parameters[k].list);
        EXPECT_EQ(a.parameters[k].function_of_index, b.parameters[k].function_of_index);
    }
    ASSERT_EQ(a.points.size(), b.points.size());
    for (std::size_t k = 0; k < a.points.size(); ++k) {
        EXPECT_EQ(a.points[k].counted_by, b.points[k].counted_by);
    }
    ASSERT_EQ(a.assembly.has_value(), b.assembly.has_value());
    if (a.assembly) {
        EXPECT_EQ(a.assembly->branch, b.assembly->branch);
        ASSERT_EQ(a.assembly->hold.size(), b.assembly->hold.size());
        for (std::size_t k = 0; k < a.assembly->hold.size(); ++k) {
            EXPECT_EQ(a.assembly->hold[k].value, b.assembly->hold[k].value);
        }
    }
    ASSERT_EQ(a.bodies.size(), b.bodies.size());
    for (std::size_t k = 0; k < a.bodies.size(); ++k) {
        EXPECT_EQ(a.bodies[k].inertia, b.bodies[k].inertia);
        EXPECT_EQ(a.bodies[k].first_row, b.bodies[k].first_row);
        EXPECT_EQ(a.bodies[k].kind, b.bodies[k].kind);
        EXPECT_EQ(a.bodies[k].com, b.bodies[k].com);
        EXPECT_EQ(a.bodies[k].d, b.bodies[k].d);
        EXPECT_EQ(a.bodies[k].principal, b.bodies[k].principal);
        EXPECT_EQ(a.bodies[k].points.size(), b.bodies[k].points.size());
        EXPECT_EQ(a.bodies[k].frames.size(), b.bodies[k].frames.size());
    }
    expect_same_mass(a.mass, b.mass);
    ASSERT_EQ(a.variable_mass.has_value(), b.variable_mass.has_value());
    if (a.variable_mass) {
        expect_same_mass(*a.variable_mass, *b.variable_mass);
    }
    for (const auto whole : {&Model::kinetic, &Model::hamiltonian}) {
        ASSERT_EQ((a.*whole).has_value(), (b.*whole).has_value());
        EXPECT_TRUE(!(a.*whole) || (a.*whole)->value == (b.*whole)->value);
    }
    ASSERT_EQ(a.potential.size(), b.potential.size());
    for (std::size_t k = 0; k < a.potential.size(); ++k) {
        expect_same_term(a.potential[k], b.potential[k]);
    }
    ASSERT_EQ(a.constraints.size(), b.constraints.size());
    for (std::size_t k = 0; k < a.constraints.size(); ++k) {
        expect_same_term(a.constraints[k].term, b.constraints[k].term);
        EXPECT_EQ(a.constraints[k].name, b.constraints[k].name);
        EXPECT_EQ(a.constraints[k].family, b.constraints[k].family);
        EXPECT_EQ(a.constraints[k].numbered, b.constraints[k].numbered);
    }
    ASSERT_EQ(a.nonholonomic.size(), b.nonholonomic.size());
    for (std::size_t k = 0; k < a.nonholonomic.size(); ++k) {
        EXPECT_EQ(a.nonholonomic[k].name, b.nonholonomic[k].name);
        EXPECT_EQ(a.nonholonomic[k].equation.value, b.nonholonomic[k].equation.value);
    }
    ASSERT_EQ(a.field.has_value(), b.field.has_value());
    for (const auto equations : {&Field::q, &Field::v}) {
        for (std::size_t k = 0; a.field && k < ((*a.field).*equations).size(); ++k) {
            EXPECT_EQ(((*a.field).*equations)[k].value, ((*b.field).*equations).at(k).value);
        }
    }
    if (a.field) {
        EXPECT_EQ(a.field->blocks, b.field->blocks);
    }
    ASSERT_EQ(a.forces.size(), b.forces.size());
    for (std::size_t k = 0; k < a.forces.size(); ++k) {
        EXPECT_EQ(a.forces[k].name, b.forces[k].name);
        EXPECT_EQ(a.forces[k].kind, b.forces[k].kind);
        ASSERT_EQ(a.forces[k].on.size(), b.forces[k].on.size());
        for (std::size_t c = 0; c < a.forces[k].on.size(); ++c) {
            EXPECT_EQ(a.forces[k].on[c].coordinate, b.forces[k].on[c].coordinate);
            EXPECT_EQ(a.forces[k].on[c].value.value, b.forces[k].on[c].value.value);
        }
    }
    ASSERT_EQ(a.windings.size(), b.windings.size());
    for (std::size_t k = 0; k < a.windings.size(); ++k) {
        EXPECT_EQ(a.windings[k].name, b.windings[k].name);
        EXPECT_EQ(a.windings[k].start, b.windings[k].start);
        EXPECT_EQ(a.windings[k].angle, b.windings[k].angle);
        EXPECT_EQ(a.windings[k].rate, b.windings[k].rate);
    }
    ASSERT_EQ(a.observables.size(), b.observables.size());
    for (std::size_t k = 0; k < a.observables.size(); ++k) {
        EXPECT_EQ(a.observables[k].name, b.observables[k].name);
        EXPECT_EQ(a.observables[k].value, b.observables[k].value);
        EXPECT_EQ(a.observables[k].invariant, b.observables[k].invariant);
    }
    ASSERT_EQ(a.events.size(), b.events.size());
    for (std::size_t k = 0; k < a.events.size(); ++k) {
        EXPECT_EQ(a.events[k].name, b.events[k].name);
        EXPECT_EQ(a.events[k].value, b.events[k].value);
        EXPECT_EQ(a.events[k].direction, b.events[k].direction);
        EXPECT_EQ(a.events[k].terminal, b.events[k].terminal);
    }
    for (const auto& [name, value] : a.definitions) {
        const auto same = std::ranges::find(b.definitions, name, &Definition::name);
        ASSERT_NE(same, b.definitions.end()) << name;
        EXPECT_EQ(value, same->value);
    }
    expect_same_state(initial_state<double>(a), initial_state<double>(b));
    for (const auto& field : run_fields) {
        EXPECT_EQ(text_of(a.run, field), text_of(b.run, field)) << field.name;
    }
}

inline void expect_same_run(const Model& a, const Model& b, const std::string& spec, double step, int steps) {
    const IntegrationOptions options{.step = step, .steps = steps};
    const auto x = integrate(a, method(spec), options), y = integrate(b, method(spec), options);
    EXPECT_EQ(x.status, RunStatus::completed) << a.name;
    EXPECT_EQ(x.q, y.q) << a.name;
    EXPECT_EQ(x.p, y.p) << a.name;
    EXPECT_EQ(x.v, y.v) << a.name;
    EXPECT_EQ(x.lambda, y.lambda) << a.name;
    EXPECT_EQ(x.energy.final, y.energy.final) << a.name;
}

}  // namespace libration
