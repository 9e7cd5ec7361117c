// From a singular mass matrix to a regular one.
#include "augmented.hpp"
#include "model_values.hpp"

#include <libration/expression/differentiate.hpp>

#include <algorithm>

namespace libration {

Expression instance_of(const Model& model, const Formula& formula, std::size_t k) {
    std::vector<Expression> symbols, values;
    for (const auto& parameter : formula.parameters) {
        Expression value;
        switch (parameter.kind) {
            case InstanceParameter::Kind::index: value = constant(std::to_string(parameter.integers[k])); break;
            case InstanceParameter::Kind::element: {
                const auto list = std::ranges::find(model.parameters, parameter.list, &Parameter::name);
                value = list->values[static_cast<std::size_t>(parameter.integers[k])];
                break;
            }
            case InstanceParameter::Kind::sum: {
                const auto& sum = *parameter.sum;
                std::int64_t first = 0;
                for (std::size_t j = 0; !sum.running && j < k; ++j) {
                    first += sum.count[j];
                }
                for (std::int64_t j = 0; j < sum.count[k]; ++j) {
                    value += instance_of(model, sum.summand, static_cast<std::size_t>(first + j));
                }
                break;
            }
        }
        symbols.push_back(parameter.symbol);
        values.push_back(value);
    }
    return substitute(formula.kernel, symbols, values);
}

namespace {

// M of constant masses, entry by entry of rows.
std::vector<Expression> constant_mass(const Model& model) {
    if (!model.mass.matrix.empty()) {
        return model.mass.matrix;
    }
    const std::size_t d = model.dimension;
    std::vector<Expression> matrix(d * d);
    std::size_t coordinate = 0;
    for (const auto& block : model.mass.diagonal) {
        for (std::size_t k = 0; k < block.value.instances; ++k) {
            const auto mass = instance_of(model, block.value, k);
            for (std::size_t repeat = 0; repeat < block.repeat; ++repeat, ++coordinate) {
                matrix[coordinate * (d + 1)] = mass;
            }
        }
    }
    return matrix;
}

struct Slope {
    std::size_t coordinate;
    Expression value;
};

// One list per row of g.
std::vector<std::vector<Slope>> constraint_slopes(const Model& model) {
    const auto q = model.coordinate_symbols();
    std::vector<std::vector<Slope>> rows;
    for (const auto& constraint : model.constraints) {
        const auto& term = constraint.term;
        const std::size_t width = term.slots.size();
        for (std::size_t k = 0; k < term.formula.instances; ++k) {
            std::vector<std::size_t> numbers;
            std::vector<Expression> all, distinct;
            for (std::size_t s = 0; s < width; ++s) {
                const std::size_t number = term.indices[k * width + s];
                all.push_back(q[number]);
                if (std::ranges::find(numbers, number) == numbers.end()) {
                    numbers.push_back(number);
                    distinct.push_back(q[number]);
                }
            }
            const auto slopes = gradient(substitute(instance_of(model, term.formula, k), term.slots, all), distinct);
            rows.emplace_back();
            for (std::size_t s = 0; s < numbers.size(); ++s) {
                rows.back().push_back({numbers[s], slopes[s]});
            }
        }
    }
    return rows;
}

// Of expressions in q, at the initial values and t = 0.
std::vector<double> initial_values_of(const Model& model, std::span<const Expression> expressions) {
    const auto given = parameter_values<double>(model);
    const auto start = initial_state<double>(model).q;
    auto inputs = model.coordinate_symbols();
    inputs.push_back(symbol("t"));
    Tape<double> tape(compile(expressions, inputs, given.symbols), given.values);
    for (std::size_t k = 0; k < start.size(); ++k) {
        tape.input(k) = start[k];
    }
    tape.input(start.size()) = 0;
    tape.run();
    std::vector<double> values;
    for (std::size_t k = 0; k < expressions.size(); ++k) {
        values.push_back(tape.output(k));
    }
    return values;
}

}  // namespace

std::vector<double> initial_mass_matrix(const Model& model) {
    if (!model.kinetic) {
        return initial_values_of(model, constant_mass(model));
    }
    const auto v = model.coordinate_symbols("v_");
    std::vector<Expression> matrix;
    for (const auto& momentum : gradient(model.kinetic->value, v)) {
        const auto row = gradient(momentum, v);
        matrix.insert(matrix.end(), row.begin(), row.end());
    }
    return initial_values_of(model, matrix);
}

std::vector<double> initial_constraint_jacobian(const Model& model) {
    const auto rows = constraint_slopes(model);
    std::vector<Expression> matrix(rows.size() * model.dimension);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const auto& [coordinate, value] : rows[i]) {
            matrix[i * model.dimension + coordinate] = value;
        }
    }
    return initial_values_of(model, matrix);
}

Model augmented(const Model& model) {
    const std::size_t d = model.dimension, m = model.constraint_rows;
    Model result = model;
    result.programs = nullptr;                  // it gets symbols of its own: nothing would be found again
    result.points.push_back({"(r)", m, 1, d});  // no name in a model has brackets: these clash with none
    result.dimension = d + m;
    result.mass = {};
    const auto v = result.coordinate_symbols("v_");
    Expression energy;
    if (model.kinetic) {
        energy = model.kinetic->value;
    } else {
        const auto mass = constant_mass(model);
        for (std::size_t i = 0; i < d; ++i) {
            for (std::size_t j = 0; j < d; ++j) {
                energy += v[i] * mass[i * d + j] * v[j];
            }
        }
        energy = ratio(1, 2) * energy;
    }
    const auto rows = constraint_slopes(model);
    for (std::size_t i = 0; i < m; ++i) {
        Expression rate;
        for (const auto& [coordinate, value] : rows[i]) {
            rate += value * v[coordinate];
        }
        energy += v[d + i] * rate;
    }
    result.kinetic = {energy, model.kinetic ? model.kinetic->place : model.mass.place};

    Constraint added;
    added.name = "(r)";
    added.family = true;
    added.first_row = m;
    added.term.slots = {fresh_symbol("r")};
    added.term.formula = {added.term.slots[0], m, {}};
    Instances origin{{"i"}, {{}}, m, {}};
    for (std::size_t i = 0; i < m; ++i) {
        added.term.indices.push_back(static_cast<std::uint32_t>(d + i));
        origin.columns[0].push_back(static_cast<std::int64_t>(i));
    }
    added.term.origin = std::make_shared<const Instances>(std::move(origin));
    result.constraints.push_back(std::move(added));
    result.constraint_rows = 2 * m;
    return result;
}

}  // namespace libration
