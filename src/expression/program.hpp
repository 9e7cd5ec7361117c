// A straight-line program: the form in which expressions are evaluated. Built once, scalar unknown; a Tape runs it.
#pragma once

#include <libration/expression/expression.hpp>

namespace libration {

// register[target] = op(register[arguments...]). Constants are op `constant`, target filled from
// `constants[arguments[0]]`.
struct Instruction {
    Op op = Op::constant;
    std::uint32_t target = 0;
    std::array<std::uint32_t, 3> arguments{};
};

// Registers: inputs, the parameters that occur, then one for each instruction. The first `prepared` instructions depend
// on parameters only and run once, when a tape is made; the others run at every evaluation.
struct Program {
    std::uint32_t inputs = 0;
    std::uint32_t parameters = 0;  // that occur
    std::uint32_t given = 0;       // the parameters that a tape is given
    // Of those that occur, their numbers among all, ascending: a small program has few registers in a large model.
    std::vector<std::uint32_t> parameter_numbers;
    // The last of those that occur change from step to step (turn_symbol): their numbers among all that do.
    std::vector<std::uint32_t> turn_numbers;
    std::uint32_t registers = 0;
    std::uint32_t prepared = 0;
    std::vector<Instruction> instructions;
    std::vector<std::string> constants;
    std::vector<std::uint32_t> outputs;
};

// A parameter that a trajectory changes: the unwrapped angle `name` at the last node. No text can contain the symbol.
Expression turn_symbol(std::string_view name);
bool is_turn_symbol(const Expression& symbol);

// Every symbol of `outputs` must be among `inputs` or `parameters`, otherwise an InputError names it. Integer powers up
// to 1024 become products.
Program compile(std::span<const Expression> outputs, std::span<const Expression> inputs,
                std::span<const Expression> parameters = {});
// The same with a register for every parameter, for who fills the registers without a tape.
Program compile_with_all(std::span<const Expression> outputs, std::span<const Expression> inputs,
                         std::span<const Expression> parameters);

}  // namespace libration
