// The numbers of a model over one scalar: parameters, formulas over instances, initial values.
#pragma once

#include "expression/program_store.hpp"
#include "expression/tape.hpp"

#include <libration/model/model.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace libration {

// The parameters of a model at the precision of S.
template <class S>
struct ParameterValues {
    std::vector<Expression> symbols;
    std::vector<S> values;
    std::map<std::string, std::vector<S>, std::less<>> lists;
    std::shared_ptr<ProgramStore> programs;  // of the model; null: none
};

template <class S>
std::vector<S> instance_values(const Formula& formula, const ParameterValues<S>& given);

// The table [instance][parameter] of a formula's instance parameters.
template <class S>
std::vector<S> instance_parameter_table(const Formula& formula, const ParameterValues<S>& given) {
    const std::size_t width = formula.parameters.size();
    std::vector<S> table(formula.instances * width, lit<S>(0));
    for (std::size_t p = 0; p < width; ++p) {
        const auto& parameter = formula.parameters[p];
        if (parameter.kind == InstanceParameter::Kind::sum) {
            const auto& sum = *parameter.sum;
            const auto parts = instance_values(sum.summand, given);
            std::vector<S> running;
            if (sum.running) {
                S total = lit<S>(0);
                running.push_back(total);
                for (const auto& part : parts) {
                    total = total + part;
                    running.push_back(total);
                }
            }
            std::size_t part = 0;
            for (std::size_t k = 0; k < formula.instances; ++k) {
                const auto count = static_cast<std::size_t>(sum.count[k]);
                S total = sum.running ? running[count] : lit<S>(0);
                for (std::size_t j = 0; !sum.running && j < count; ++j) {
                    total = total + parts[part++];
                }
                table[k * width + p] = total;
            }
            continue;
        }
        for (std::size_t k = 0; k < formula.instances; ++k) {
            const auto integer = parameter.integers[k];
            table[k * width + p] = parameter.kind == InstanceParameter::Kind::index
                                       ? lit<S>(integer)
                                       : given.lists.at(parameter.list)[static_cast<std::size_t>(integer)];
        }
    }
    return table;
}

template <class S>
std::vector<S> instance_values(const Formula& formula, const ParameterValues<S>& given) {
    if (formula.kernel.is(Op::constant)) {
        return std::vector<S>(formula.instances, from_text<S>(formula.kernel.text()));
    }
    std::vector<Expression> inputs;
    for (const auto& parameter : formula.parameters) {
        inputs.push_back(parameter.symbol);
    }
    Tape<S> tape(compiled(given.programs.get(), std::array{formula.kernel}, inputs, given.symbols), given.values);
    const auto table = instance_parameter_table(formula, given);
    std::vector<S> values;
    values.reserve(formula.instances);
    for (std::size_t k = 0; k < formula.instances; ++k) {
        for (std::size_t p = 0; p < inputs.size(); ++p) {
            tape.input(p) = table[k * inputs.size() + p];
        }
        tape.run();
        values.push_back(tape.output(0));
    }
    return values;
}

// The parameters of the model at the precision of S; after them the angles that count turns, as they start. `replaced`:
// scalar parameters that have other values than the model says.
template <class S>
ParameterValues<S> parameter_values(const Model& model, const ParameterValues<S>& replaced = {}) {
    ParameterValues<S> given;
    given.programs = model.programs;
    for (const auto& parameter : model.parameters) {
        if (parameter.function_of_index) {
            continue;
        }
        if (!replaced.symbols.empty()) {
            const auto name = symbol(parameter.name);
            const auto found = std::ranges::find(replaced.symbols, name);
            if (found != replaced.symbols.end()) {
                given.symbols.push_back(name);
                given.values.push_back(replaced.values[static_cast<std::size_t>(found - replaced.symbols.begin())]);
                continue;
            }
        }
        std::vector<S> values;
        values.reserve(parameter.values.size());
        for (const auto& expression : parameter.values) {
            if (expression.is(Op::constant)) {  // lists may be long, and mostly consist of these
                values.push_back(from_text<S>(expression.text()));
                continue;
            }
            const Tape<S> tape(compiled(given.programs.get(), std::array{expression}, {}, given.symbols), given.values);
            values.push_back(tape.output(0));
        }
        if (parameter.list) {
            given.lists.emplace(parameter.name, std::move(values));
        } else {
            given.symbols.push_back(symbol(parameter.name));
            given.values.push_back(values[0]);
        }
    }
    std::vector<S> starts;
    for (const auto& winding : model.windings) {
        if (winding.start.is(Op::constant)) {
            starts.push_back(from_text<S>(winding.start.text()));
            continue;
        }
        const auto program = compiled(given.programs.get(), std::array{winding.start}, {}, given.symbols);
        starts.push_back(Tape<S>(program, given.values).output(0));
    }
    for (std::size_t k = 0; k < starts.size(); ++k) {
        given.symbols.push_back(model.windings[k].reference);
        given.values.push_back(starts[k]);
    }
    return given;
}

// Without the angles that count turns: for formulas that are told them with the state.
inline ParameterValues<double> constant_parameters(const Model& model) {
    auto given = parameter_values<double>(model);
    given.symbols.resize(given.symbols.size() - model.windings.size());
    given.values.resize(given.symbols.size());
    return given;
}

// Initial q and p or v as the model gives them; velocities are left to the system, which knows the mass.
template <class S>
struct InitialState {
    std::vector<S> q, momentum, velocity;
    std::vector<bool> has_momentum;
};

template <class S>
InitialState<S> initial_state(const Model& model, const ParameterValues<S>& given) {
    const S zero = lit<S>(0);
    InitialState<S> state{std::vector<S>(model.dimension, zero), std::vector<S>(model.dimension, zero),
                          std::vector<S>(model.dimension, zero), std::vector<bool>(model.dimension, false)};
    // Single formulas are one program, for bodies have many of them.
    const auto is_single = [](const InitialValue& block) {
        return block.value.instances == 1 && block.value.parameters.empty() && !block.value.kernel.is(Op::constant);
    };
    std::vector<Expression> formulas;
    for (const auto& block : model.initial) {
        if (is_single(block)) {
            formulas.push_back(block.value.kernel);
        }
    }
    const Tape<S> singles(compiled(given.programs.get(), formulas, {}, given.symbols), given.values);
    std::size_t single = 0;
    for (const auto& block : model.initial) {
        const auto values =
            is_single(block) ? std::vector<S>{singles.output(single++)} : instance_values(block.value, given);
        for (std::size_t k = 0; k < values.size(); ++k) {
            const auto j = block.coordinates[k];
            if (block.kind == InitialValue::Kind::position) {
                state.q[j] = values[k];
            } else if (block.kind == InitialValue::Kind::momentum) {
                state.momentum[j] = values[k];
                state.has_momentum[j] = true;
            } else {
                state.velocity[j] = values[k];
            }
        }
    }
    return state;
}

template <class S>
InitialState<S> initial_state(const Model& model) {
    return initial_state<S>(model, parameter_values<S>(model));
}

}  // namespace libration
