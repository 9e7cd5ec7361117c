// The lines of whole steps and of rows.
#include "machine_code.hpp"

#include "expression/block_tape.hpp"
#include "lines.hpp"

namespace libration::codegen {

namespace {

// Lists the instructions [first, last) of a program whose registers so far stand for the lines of `registers`.
void list(CodeBuilder& builder, const Program& program, std::size_t first, std::size_t last,
          std::vector<std::uint32_t>& registers) {
    for (std::size_t n = first; n < last; ++n) {
        const auto& i = program.instructions[n];
        registers[i.target] = i.op == Op::constant
                                  ? builder.number(from_text<double>(program.constants[i.arguments[0]]))
                                  : builder.operation(i.op, registers[i.arguments[0]], registers[i.arguments[1]],
                                                      registers[i.arguments[2]]);
    }
}

std::vector<std::uint32_t> outputs_of(const Program& program, std::span<const std::uint32_t> registers) {
    std::vector<std::uint32_t> outputs;
    for (const auto r : program.outputs) {
        outputs.push_back(registers[r]);
    }
    return outputs;
}

std::vector<std::uint32_t> straight(CodeBuilder& builder, const Program& program,
                                    std::span<const std::uint32_t> environment) {
    std::vector<std::uint32_t> registers(program.registers, 0);
    std::copy(environment.begin(), environment.end(), registers.begin());
    list(builder, program, 0, program.instructions.size(), registers);
    return outputs_of(program, registers);
}

}  // namespace

Code code_of(const StepProgram& program) {
    CodeBuilder builder;
    std::vector<std::uint32_t> environment;
    for (std::size_t k = 0; k < program.constants(); ++k) {
        environment.push_back(builder.source(from_constants, k));
    }
    for (std::size_t k = 0; k < program.memory; ++k) {
        environment.push_back(builder.source(from_state, k));
    }
    for (const auto& loop : program.loops) {
        auto start = straight(builder, loop.start, environment);
        const auto& body = loop.body;
        std::vector<std::uint32_t> registers(body.registers, 0);
        std::copy(environment.begin(), environment.end(), registers.begin() + static_cast<std::ptrdiff_t>(body.inputs));
        list(builder, body, 0, body.prepared, registers);
        const auto index = builder.begin_loop(std::move(start), loop.control);
        for (std::size_t i = 0; i < loop.width; ++i) {
            registers[i] = builder.source(carried, index, i);
        }
        list(builder, body, body.prepared, body.instructions.size(), registers);
        auto computed = outputs_of(body, registers);
        const auto residual = computed.back();
        computed.pop_back();
        builder.end_loop(std::move(computed), residual);
        for (std::size_t i = 0; i < loop.width; ++i) {
            environment.push_back(builder.source(loop_x, index, i));
        }
        for (const auto what : {loop_passes, loop_residual, loop_converged}) {
            environment.push_back(builder.source(what, index));
        }
    }
    return builder.finish(straight(builder, program.end, environment));
}

Code code_of(const RowProgram& rows) {
    CodeBuilder builder;
    const auto& program = rows.program;
    std::vector<std::uint32_t> registers(program.registers, 0);
    for (std::size_t k = 0; k < program.inputs; ++k) {
        registers[k] = builder.source(from_state, rows.inputs[k]);
    }
    for (std::size_t k = 0; k < program.parameters; ++k) {
        registers[program.inputs + k] = builder.number(rows.registers[program.inputs + k]);
    }
    for (std::size_t k = 0; k < rows.turns.size(); ++k) {
        if (rows.turns[k] != BlockTape<double>::nowhere) {
            registers[program.inputs + program.parameters - rows.turns.size() + k] =
                builder.source(from_state, rows.turns[k]);
        }
    }
    for (std::size_t n = 0; n < program.prepared; ++n) {
        const auto target = program.instructions[n].target;
        registers[target] = builder.number(rows.registers[target]);
    }
    list(builder, program, program.prepared, program.instructions.size(), registers);
    auto code = builder.finish(outputs_of(program, registers));
    code.offsets = rows.outputs;
    code.rows = true;
    return code;
}

}  // namespace libration::codegen
