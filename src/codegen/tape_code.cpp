// Rows of tapes as rows of machine code.
#include "tape_code.hpp"
#include "machine_code.hpp"

#include <numeric>

namespace libration {

namespace {

// Of all of them together: some seconds of compiling.
constexpr std::size_t most_instructions = 5 * most_row_instructions;

std::size_t varying(const Program& program) { return program.instructions.size() - program.prepared; }

RowProgram row_program(const Tape<double>& tape) {
    const auto registers = tape.registers();
    RowProgram rows{tape.program(), {registers.begin(), registers.end()}, {}, tape.program().outputs, {}};
    rows.inputs.resize(tape.inputs());
    std::iota(rows.inputs.begin(), rows.inputs.end(), 0U);
    for (std::size_t k = 0; k < tape.turns(); ++k) {
        rows.turns.push_back(tape.turn_register(k));
    }
    return rows;
}

RowProgram row_program(const BlockTape<double>& block) {
    auto rows = row_program(block.tape());
    rows.inputs = block.input_places();
    rows.outputs = block.output_places();
    rows.turns = block.turn_places();
    return rows;
}

}  // namespace

void TapeCode::tape(Tape<double>& tape) {
    targets_.push_back({&tape, nullptr});
    work_ += static_cast<double>(varying(tape.program()));
}

void TapeCode::block(BlockTape<double>& tape, std::size_t instances) {
    targets_.push_back({nullptr, &tape});
    work_ += static_cast<double>(varying(tape.tape().program())) * static_cast<double>(instances);
}

bool TapeCode::generate(std::string& why_not) {
    std::vector<RowProgram> programs;
    std::vector<Target> compiled;
    std::size_t instructions = 0;
    for (const auto& target : targets_) {
        const auto& program = target.tape != nullptr ? target.tape->program() : target.block->tape().program();
        const std::size_t size = varying(program);
        if (size == 0 || program.registers > most_row_instructions || instructions + size > most_instructions) {
            continue;
        }
        instructions += size;
        compiled.push_back(target);
        programs.push_back(target.tape != nullptr ? row_program(*target.tape) : row_program(*target.block));
    }
    if (programs.empty()) {
        why_not = targets_.empty() ? "the model has no programs" : "its programs are too long to be compiled";
        return false;
    }
    const auto code = generate_rows(programs, &why_not);
    for (std::size_t k = 0; k < code.size(); ++k) {
        if (compiled[k].tape != nullptr) {
            compiled[k].tape->use_code(code[k]);
        } else {
            compiled[k].block->use_code(code[k]);
        }
    }
    return !code.empty();
}

}  // namespace libration
