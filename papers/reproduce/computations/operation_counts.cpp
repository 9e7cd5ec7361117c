// Additions and multiplications of expressions. Arguments:
//   expressions   texts
//   vary          the symbols that change from one evaluation to the next; all others are parameters
// and, to show that the expressions are forces (k is counted over `q`):
//   where         "sith = sin(th)", ...: what symbols of the expressions stand for
//   kinetic       T(q, v), with `q` and `v`, lists of symbols, and `applied`, the forces that are not of T
//   form          "momentum": they are d(T_v)/dt = T_q + applied; "acceleration": M(q) v' = T_q - (T_v)_q v + applied
// Numbers: `additions` and `multiplications` of the expressions as they are written, with subtractions, divisions and
// powers, a sign not counted; `graph_additions`, `graph_multiplications`: equal subexpressions once; `run_additions`,
// `run_multiplications`: what of these a program does at each evaluation, parameters being worked out before; with
// `kinetic` the `difference`, the largest between an expression and the force that it should be, for one choice of all
// symbols.
#include "reproduce/computations/list.hpp"

#include "expression/program.hpp"
#include "expression/tape.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/expression/parse.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

struct Counts {
    double additions = 0, multiplications = 0;
    void see(Op op) {
        additions += op == Op::add || op == Op::subtract ? 1 : 0;
        multiplications += op == Op::multiply || op == Op::divide || op == Op::power ? 1 : 0;
    }
};

// Every place where an operation is written counts.
void count_as_written(const Expression& expression, Counts& counts) {
    counts.see(expression.op());
    for (const auto& argument : expression.arguments()) {
        count_as_written(argument, counts);
    }
}

std::vector<Expression> parsed(const std::vector<std::string>& texts) {
    std::vector<Expression> result;
    for (const auto& text : texts) {
        result.push_back(parse(text));
    }
    return result;
}

// The largest |a_k - b_k|, every symbol with a value of its own between 1/2 and 3/2: identities hold for all values.
double largest_symbolic_difference(const std::vector<Expression>& a, const std::vector<Expression>& b) {
    std::vector<Expression> outputs;
    for (std::size_t k = 0; k < a.size(); ++k) {
        outputs.push_back(a[k] - b[k]);
    }
    const auto symbols = symbols_of(outputs);
    std::vector<double> values;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const double x = static_cast<double>(i + 1) * (std::sqrt(5.0) - 1) / 2;
        values.push_back(0.5 + x - std::floor(x));
    }
    Tape<double> tape(compile(outputs, {}, symbols), values);
    tape.run();
    double largest = 0;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        largest = std::max(largest, std::abs(tape.output(k)));
    }
    return largest;
}

// Replaces what the symbols of the expressions stand for.
std::vector<Expression> spelt_out(std::vector<Expression> expressions, const std::vector<std::string>& where) {
    std::vector<Expression> symbols, by;
    for (const auto& text : where) {
        const auto sign = text.find('=');
        if (sign == std::string::npos) {
            throw InputError(fmt::format("'{}' is not of the form name = formula", text));
        }
        symbols.push_back(parse(text.substr(0, sign)));
        by.push_back(parse(text.substr(sign + 1)));
    }
    for (auto& e : expressions) {
        e = substitute(e, symbols, by);
    }
    return expressions;
}

std::vector<Expression> forces_of(const ComputationArguments& arguments) {
    const auto T = parse(arguments.text("kinetic"));
    const auto q = parsed(arguments.texts("q")), v = parsed(arguments.texts("v"));
    auto forces = parsed(arguments.texts("applied"));
    if (q.size() != v.size() || q.size() != forces.size()) {
        throw InputError(fmt::format("{} positions, {} velocities and {} applied forces do not fit", q.size(), v.size(),
                                     forces.size()));
    }
    const auto form = arguments.text("form");
    if (form != "momentum" && form != "acceleration") {
        throw InputError(fmt::format("form is '{}'; write 'momentum' or 'acceleration'", form));
    }
    const auto of_q = gradient(T, q), momenta = gradient(T, v);
    for (std::size_t k = 0; k < q.size(); ++k) {
        forces[k] += of_q[k];
        if (form == "acceleration") {
            forces[k] = forces[k] - directional_derivative(momenta[k], q, v);  // the Coriolis term M_q(v, v)
        }
    }
    return forces;
}

}  // namespace

Computed operation_counts(const ComputationArguments& arguments) {
    const auto expressions = parsed(arguments.texts("expressions"));
    const auto vary = parsed(arguments.texts("vary"));
    Counts written, graph, run;
    for (const auto& e : expressions) {
        count_as_written(e, written);
    }
    for (const auto& e : sorted_nodes(expressions)) {
        graph.see(e.op());
    }
    std::vector<Expression> parameters;
    for (const auto& s : symbols_of(expressions)) {
        if (std::ranges::find(vary, s) == vary.end()) {
            parameters.push_back(s);
        }
    }
    const auto program = compile(expressions, vary, parameters);
    for (std::size_t k = program.prepared; k < program.instructions.size(); ++k) {
        run.see(program.instructions[k].op);
    }
    Computed result;
    for (const auto& [name, counts] : {std::pair("", written), std::pair("graph_", graph), std::pair("run_", run)}) {
        result.numbers[fmt::format("{}additions", name)] = {counts.additions};
        result.numbers[fmt::format("{}multiplications", name)] = {counts.multiplications};
    }
    if (arguments.has("kinetic")) {
        const auto forces = spelt_out(forces_of(arguments), arguments.texts("where"));
        result.numbers["difference"] = {
            largest_symbolic_difference(spelt_out(expressions, arguments.texts("where")), forces)};
    }
    return result;
}

}  // namespace libration
