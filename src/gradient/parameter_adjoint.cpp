// Reverse sweeps through formulas over instances.
#include "parameter_adjoint.hpp"

#include <libration/expression/differentiate.hpp>

namespace libration {

bool has_diagonal_mass(const Model& model) {
    return !model.kinetic && !model.hamiltonian && !model.field && !model.external && !model.singular_mass &&
           model.mass.matrix.empty();
}

ParameterAdjoint::ParameterAdjoint(const Model& model, Result result)
    : model_(&model), result_(result), given_(parameter_values<double>(model)), scalars_(given_.symbols.size()) {
    for (std::size_t k = 0; k < given_.symbols.size(); ++k) {
        places_.emplace(given_.symbols[k], k);
    }
    for (const auto& [name, values] : given_.lists) {
        lists_[name].resize(values.size());
    }
    for (const auto& block : model.mass.diagonal) {
        for (const double value : instance_values(block.value, given_)) {
            masses_.insert(masses_.end(), block.repeat, value);
        }
    }
}

void ParameterAdjoint::add_scalar(const Expression& symbol, double weight) {
    if (const auto place = places_.find(symbol); place != places_.end()) {
        scalars_[place->second] += part(weight);
    }
}

void ParameterAdjoint::add(const Formula& formula, std::span<const double> weights) {
    const auto used = symbols_of(std::array{formula.kernel});
    std::vector<Expression> inputs, wanted;
    std::vector<std::size_t> places;
    for (const auto& parameter : formula.parameters) {
        inputs.push_back(parameter.symbol);
    }
    wanted = inputs;
    for (const auto& symbol : used) {
        if (const auto place = places_.find(symbol); place != places_.end()) {
            wanted.push_back(symbol);
            places.push_back(place->second);
        }
    }
    if (wanted.empty()) {
        return;
    }
    const std::size_t width = inputs.size();
    Tape<double> tape(compile(gradient(formula.kernel, wanted), inputs, given_.symbols), given_.values);
    const auto table = instance_parameter_table(formula, given_);
    std::vector<std::vector<double>> of_sums(width);
    for (std::size_t p = 0; p < width; ++p) {
        if (formula.parameters[p].kind == InstanceParameter::Kind::sum) {
            of_sums[p].resize(formula.instances);
        }
    }
    for (std::size_t k = 0; k < formula.instances; ++k) {
        if (weights[k] == 0) {
            continue;
        }
        for (std::size_t p = 0; p < width; ++p) {
            tape.input(p) = table[k * width + p];
        }
        tape.run();
        for (std::size_t p = 0; p < width; ++p) {
            const auto& parameter = formula.parameters[p];
            const double slope = weights[k] * part(tape.output(p));
            if (parameter.kind == InstanceParameter::Kind::element) {
                lists_.find(parameter.list)->second[static_cast<std::size_t>(parameter.integers[k])] += slope;
            } else if (parameter.kind == InstanceParameter::Kind::sum) {
                of_sums[p][k] = slope;
            }
        }
        for (std::size_t s = 0; s < places.size(); ++s) {
            scalars_[places[s]] += weights[k] * part(tape.output(width + s));
        }
    }
    for (std::size_t p = 0; p < width; ++p) {
        if (!of_sums[p].empty()) {
            add_sum(*formula.parameters[p].sum, of_sums[p]);
        }
    }
}

void ParameterAdjoint::add_sum(const InstanceSum& sum, std::span<const double> weights) {
    std::vector<double> parts(sum.summand.instances);
    std::size_t next = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const auto count = static_cast<std::size_t>(sum.count[k]);
        if (!sum.running) {
            std::fill_n(parts.begin() + static_cast<std::ptrdiff_t>(next), count, weights[k]);
            next += count;
        } else if (count > 0) {
            parts[count - 1] += weights[k];  // and all before it, see below
        }
    }
    for (std::size_t i = parts.size(); sum.running && i-- > 1;) {
        parts[i - 1] += parts[i];
    }
    add(sum.summand, parts);
}

void ParameterAdjoint::add_masses(std::span<const double> weights) {
    std::size_t coordinate = 0;
    for (const auto& block : model_->mass.diagonal) {
        std::vector<double> sums(block.value.instances);
        for (auto& sum : sums) {
            for (std::size_t repeat = 0; repeat < block.repeat; ++repeat) {
                sum += part(weights[coordinate++]);
            }
        }
        if (!block.value.kernel.is(Op::constant)) {
            add(block.value, sums);
        }
    }
}

void ParameterAdjoint::add_initial(InitialValue::Kind kind, std::vector<double> weights) {
    for (std::size_t b = model_->initial.size(); b-- > 0;) {
        const auto& block = model_->initial[b];
        if (block.kind != kind) {
            continue;
        }
        std::vector<double> of_block(block.value.instances);
        for (std::size_t k = 0; k < of_block.size(); ++k) {
            // A later value takes the place of an earlier one.
            of_block[k] = std::exchange(weights[block.coordinates[k]], 0);
        }
        if (!block.value.kernel.is(Op::constant)) {
            add(block.value, of_block);
        }
    }
}

void ParameterAdjoint::add_start(const StartPoint& start, std::span<const double> x_weights,
                                 std::span<const double> p_weights) {
    const std::size_t d = model_->dimension;
    const auto initial = initial_state<double>(*model_, given_);
    std::vector<double> of_q(d), of_p(d), of_v(d), of_mass(d);
    for (std::size_t j = 0; j < d; ++j) {
        of_q[j] = part(x_weights[j]);
        (initial.has_momentum[j] ? of_p : of_v)[j] = part(p_weights[j] * (initial.has_momentum[j] ? 1 : masses_[j]));
        // x = q sqrt(m(theta)/m), and p = m v where the velocity is given
        of_mass[j] = part(start.q[j] * x_weights[j] / (2 * masses_[j])) -
                     (result_ == Result::size ? -1 : 1) * part(start.p[j] * p_weights[j] / (2 * masses_[j])) +
                     (initial.has_momentum[j] ? 0 : part(initial.velocity[j] * p_weights[j]));
    }
    add_initial(InitialValue::Kind::position, std::move(of_q));
    add_initial(InitialValue::Kind::momentum, std::move(of_p));
    add_initial(InitialValue::Kind::velocity, std::move(of_v));
    add_masses(of_mass);
}

// Parameters come after those that they are formulas of.
void ParameterAdjoint::follow_formulas() {
    for (std::size_t number = model_->parameters.size(); number-- > 0;) {
        const auto& parameter = model_->parameters[number];
        if (parameter.function_of_index) {
            continue;
        }
        const auto* list = parameter.list ? &lists_.find(parameter.name)->second : nullptr;
        for (std::size_t e = 0; e < parameter.values.size(); ++e) {
            const auto& value = parameter.values[e];
            if (value.is(Op::constant)) {
                continue;
            }
            const double weight = list != nullptr ? (*list)[e] : scalars_[places_.at(symbol(parameter.name))];
            add({value, 1, {}}, std::array{weight});
        }
    }
}

std::vector<double> ParameterAdjoint::by(std::span<const Unknown> parameters) {
    follow_formulas();
    std::vector<double> slopes;
    slopes.reserve(parameters.size());
    for (const auto& unknown : parameters) {
        const auto named = places_.find(symbol(unknown.name));
        double slope = named == places_.end() ? 0 : scalars_[named->second];
        if (unknown.element) {
            slope += lists_.find(model_->parameters[unknown.number].name)->second[*unknown.element];
        }
        slopes.push_back(slope);
    }
    return slopes;
}

}  // namespace libration
