// From graph to straight-line program: numbering, integer powers as products, parameter-only work first.
#include "program.hpp"

#include "node.hpp"
#include "table_handle.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace libration {

namespace {

constexpr std::int64_t largest_product_power = 1024;

constexpr std::string_view turn_suffix = "@node";

// base^n for n >= 2 by repeated squaring, always in the same order.
Expression product_power(const Expression& base, std::int64_t n) {
    if (n == 1) {
        return base;
    }
    const Expression half = product_power(base, n / 2);
    const Expression square = verbatim(Op::multiply, std::array{half, half});
    return n % 2 == 0 ? square : verbatim(Op::multiply, std::array{square, base});
}

std::vector<Expression> lower_powers(std::span<const Expression> expressions) {
    std::unordered_map<Expression, Expression> image;
    for (const auto& e : sorted_nodes(expressions)) {
        if (e.arguments().empty()) {
            image.emplace(e, e);
            continue;
        }
        std::vector<Expression> arguments;
        for (const auto& a : e.arguments()) {
            arguments.push_back(image.at(a));
        }
        const auto& exponent = e.is(Op::power) ? rational_value(e.arguments()[1]) : std::nullopt;
        if (exponent && exponent->denominator == 1 && exponent->numerator != 0 &&
            std::abs(exponent->numerator) <= largest_product_power) {
            const auto product = product_power(arguments[0], std::abs(exponent->numerator));
            image.emplace(e,
                          exponent->numerator > 0 ? product : verbatim(Op::divide, std::array{Expression(1), product}));
        } else {
            image.emplace(e, verbatim(e.op(), arguments));
        }
    }
    std::vector<Expression> lowered;
    for (const auto& e : expressions) {
        lowered.push_back(image.at(e));
    }
    return lowered;
}

enum class Keep { used, all };

// Those of the parameters that the nodes contain, or all.
void add_parameters(Program& program, std::span<const Expression> nodes, std::span<const Expression> parameters,
                    Keep keep, std::unordered_map<Expression, std::uint32_t>& number,
                    std::unordered_map<Expression, bool>& varies) {
    std::unordered_set<Expression> used;
    for (const auto& e : nodes) {
        if (e.is(Op::symbol)) {
            used.insert(e);
        }
    }
    const auto is_constant = [](const Expression& s) { return !is_turn_symbol(s); };
    const auto constants =
        static_cast<std::uint32_t>(std::ranges::partition_point(parameters, is_constant) - parameters.begin());
    for (std::uint32_t k = 0; k < parameters.size(); ++k) {
        const auto& s = parameters[k];
        if (keep == Keep::used && !used.contains(s)) {
            continue;
        }
        const bool turning = k >= constants;
        if (turning) {
            program.turn_numbers.push_back(k - constants);
        }
        program.parameter_numbers.push_back(k);
        varies.emplace(s, turning);
        number.emplace(s, static_cast<std::uint32_t>(number.size()));
    }
    program.parameters = static_cast<std::uint32_t>(program.parameter_numbers.size());
}

}  // namespace

Expression turn_symbol(std::string_view name) { return symbol(std::string(name) + std::string(turn_suffix)); }

bool is_turn_symbol(const Expression& symbol) { return symbol.text().ends_with(turn_suffix); }

namespace {

Program compiled_program(std::span<const Expression> outputs, std::span<const Expression> inputs,
                         std::span<const Expression> parameters, Keep keep) {
    const auto lowered = lower_powers(outputs);
    Program program;
    program.inputs = static_cast<std::uint32_t>(inputs.size());
    program.given = static_cast<std::uint32_t>(parameters.size());
    const auto nodes = sorted_nodes(lowered);
    std::unordered_map<Expression, std::uint32_t> number;
    std::unordered_map<Expression, bool> varies;
    for (const auto& s : inputs) {
        varies.emplace(s, true);
        number.emplace(s, static_cast<std::uint32_t>(number.size()));
    }
    add_parameters(program, nodes, parameters, keep, number, varies);
    if (number.size() != inputs.size() + program.parameters) {
        throw InputError("a program has the same symbol twice among its inputs and parameters");
    }
    for (const auto& e : nodes) {
        if (e.is(Op::symbol)) {
            if (is_table(e)) {
                throw InputError(
                    fmt::format("interp uses the table '{}', whose values are known in a model only", table_name(e)));
            }
            if (!number.contains(e)) {
                throw InputError(fmt::format("the symbol '{}' is used but has no value here", e.text()));
            }
            continue;
        }
        bool any = false;
        for (const auto& a : e.arguments()) {
            any = any || varies.at(a);
        }
        varies.emplace(e, any);
    }
    for (const bool pass : {false, true}) {
        for (const auto& e : nodes) {
            if (e.is(Op::symbol) || varies.at(e) != pass) {
                continue;
            }
            Instruction instruction{e.op(), static_cast<std::uint32_t>(number.size()), {}};
            for (std::size_t i = 0; i < e.arguments().size(); ++i) {
                instruction.arguments[i] = number.at(e.arguments()[i]);
            }
            if (e.is(Op::constant)) {
                instruction.arguments[0] = static_cast<std::uint32_t>(program.constants.size());
                program.constants.push_back(is_table(e) ? table_number(e) : e.text());
            }
            number.emplace(e, instruction.target);
            program.instructions.push_back(instruction);
        }
        if (!pass) {
            program.prepared = static_cast<std::uint32_t>(program.instructions.size());
        }
    }
    program.registers = static_cast<std::uint32_t>(number.size());
    for (const auto& e : lowered) {
        program.outputs.push_back(number.at(e));
    }
    return program;
}

}  // namespace

Program compile(std::span<const Expression> outputs, std::span<const Expression> inputs,
                std::span<const Expression> parameters) {
    return compiled_program(outputs, inputs, parameters, Keep::used);
}

Program compile_with_all(std::span<const Expression> outputs, std::span<const Expression> inputs,
                         std::span<const Expression> parameters) {
    return compiled_program(outputs, inputs, parameters, Keep::all);
}

}  // namespace libration
