// Formulas over instances: one small expression and a table of what differs from one instance to the next.
#pragma once

#include <libration/expression/program_store.hpp>
#include <libration/expression/tape.hpp>
#include <libration/model/index_column.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace libration {

// The values of the indices, one column a name. No name: one instance.
struct Instances {
    std::vector<std::string> names;
    std::vector<IndexColumn> columns;
    std::size_t count = 1;
    std::string table;  // where the instances are the rows of one: its name
};

struct InstanceSum;

// A symbol of a formula whose value belongs to the instance: an index, an element of a list parameter, or a sum.
struct InstanceParameter {
    enum class Kind { index, element, sum };
    Expression symbol;
    Kind kind = Kind::index;
    IndexColumn integers;  // index: its values; element: positions in the list
    std::string list;      // element: name of the list parameter
    std::shared_ptr<const InstanceSum> sum;
};

struct Formula {
    Expression kernel;  // over instance parameters and the scalar parameters of the model
    std::size_t instances = 1;
    std::vector<InstanceParameter> parameters;
};

// Instance k is the sum of the next count[k] instances of the summand; if `running`, of its first count[k] instances: one
// pass over the summand then serves every instance.
struct InstanceSum {
    Formula summand;
    IndexColumn count;
    bool running = false;
};

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

}  // namespace libration
