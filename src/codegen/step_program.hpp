// A recorded step as data: straight-line programs with the loops of `iterate` between them. What TracedProgram runs on
// a tape, and what becomes machine code.
#pragma once

#include "expression/program.hpp"
#include <libration/kit/traced.hpp>

namespace libration {

// The environment of a program is a list of numbers that grows: constants, then the memory of the method before the
// step, then for each loop its x, the passes, the last residual, and whether it converged.
struct StepProgram {
    struct Loop {
        IterationControl control;
        std::size_t width = 0;   // of x
        bool corrected = false;  // x was corrected once before the loop, see `iterate`
        Program start;  // inputs: the environment so far; outputs: x before the loop; if corrected, the residual before
        Program body;   // inputs: x; parameters: the environment so far; outputs: corrections, then the residual
    };
    std::size_t memory = 0;
    Program
        prepare;  // inputs: parameters that vary from one trajectory to the next; outputs: the constants made of them
    std::vector<Loop> loops;
    Program
        // inputs: the environment; outputs: the memory after the step, then the residual in floors, then 1 if the step
        // is good
        end;

    [[nodiscard]] std::size_t constants() const { return prepare.outputs.size(); }
    [[nodiscard]] std::size_t instructions() const;
};

// `loops`: those of the recorder. `parameters`, `inputs`: the symbols that the recorded code started from; `outputs`:
// as of StepProgram::end. An output that depends on anything else, such as a value that leaked out of a loop, is an
// InputError. What depends on parameters alone is computed by `prepare`, once per trajectory and not once per step.
StepProgram step_program(std::span<const TracedLoop> loops, std::span<const Expression> parameters,
                         std::span<const Expression> inputs, std::span<const Expression> outputs);

}  // namespace libration
