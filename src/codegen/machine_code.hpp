// Machine code made at run time: by LLVM, in a module that is opened when code is first asked for. It gives the bits of
// Tape and of `iterate`; where it is unavailable the caller continues with those.
#pragma once

#include "step_program.hpp"

#include <memory>
#include <string>

namespace libration {

// Whether this machine and this installation can generate code at all; otherwise why not, in words for the user ("no
// LLVM module: ...").
struct CodeSupport {
    bool available = false;
    std::size_t vector_lanes = 1;  // doubles in a register of the widest kind: 4 with AVX2, 8 with AVX-512
    std::string name;              // "LLVM 14, AVX-512"
    std::string reason;            // why not
};
const CodeSupport& code_support();

// Whole steps of `lanes` trajectories at once. Immutable: may run in several threads, each on arrays of its own.
class StepCode {
  public:
    virtual ~StepCode() = default;
    [[nodiscard]] virtual std::size_t lanes() const = 0;
    // Arrays are [entry][lane], aligned to 64 bytes; `worst` has one number per lane and grows to the largest residual
    // of the steps made. Makes up to `steps` steps and stops before the first one that is not good in all lanes.
    // Returns how many were made: after an even number the state is in `state`, after an odd one in `other`. The one
    // that does not hold the state then holds the memory that the refused step would have led to, followed by its
    // residual and `good` (both arrays have memory + 2 entries).
    virtual std::int64_t run(std::int64_t steps, const double* constants, double* state, double* other,
                             double* worst) const = 0;
};

// Null if code cannot be had: `why_not` then has code_support().reason, or says that the program is too large. Its
// values, each computed once, times the registers that one value takes in all lanes may be at most
// `most_step_instructions`: compiling takes more than twice as long for twice as many, about a second for this many. A
// narrower batch may still be possible. Asked again for the same program and width in this process, it hands out the
// same code.
inline constexpr std::size_t most_step_instructions = 12000;
std::shared_ptr<const StepCode> generate_step(const StepProgram& program, std::size_t lanes,
                                              std::string* why_not = nullptr);

// A program over rows of numbers, as BlockTape holds them: input k of instance l is rows[inputs[k] + l], output k goes
// to rows[outputs[k] + l]. Registers of parameters and prepared instructions have the values of `registers`.
struct RowProgram {
    Program program;
    std::vector<double>
        registers;  // one a register of the program; only those of parameters and of prepared instructions count
    std::vector<std::uint32_t> inputs, outputs;
    std::vector<std::uint32_t> turns;  // of the last parameters, which are read from there, too; or BlockTape::nowhere
};
using RowCode = void (*)(double* rows, std::size_t count);

// The code of several row programs, compiled together, in their order; empty if it cannot be had, also if one of them
// has more than `most_row_instructions` values. It lives as long as the process.
inline constexpr std::size_t most_row_instructions = 4000;
std::vector<RowCode> generate_rows(std::span<const RowProgram> programs, std::string* why_not = nullptr);

}  // namespace libration
