// Between the library and the module that makes machine code: plain data and one function that hands out a table. The
// two are built together; `version` catches a module that was left behind by another build.
#pragma once

#include "machine_code.hpp"
#include <libration/expression/expression.hpp>

#include <cstddef>
#include <cstdint>

namespace libration::codegen {

inline constexpr std::uint32_t interface_version = 3;
inline constexpr const char* entry_name = "libration_code_module";

// Numbers of a Line that are not an Op: where a value comes from, and where loops begin and end.
enum Source : std::uint32_t {
    first_source = 128,
    from_constants = first_source,  // arguments[0]: which
    from_state,                     // arguments[0]: which; of rows: the offset
    carried,                        // arguments: loop, entry of x inside the loop
    loop_x,                         // arguments: loop, entry of x after the loop
    loop_passes,                    // arguments[0]: loop; likewise the next two
    loop_residual,
    loop_converged,
    loop_begin,
    loop_end,
};

// One value: op(lines...), or a number, or a source. Lines only refer to lines before them.
struct Line {
    std::uint32_t what = 0;  // an Op or a Source
    std::uint32_t arguments[3] = {0, 0, 0};
    double number = 0;  // of Op::constant
};

// As `iterate` has it. `start`, `correction`: `width` lines each; if `corrected`, one more in `start`, the residual
// before.
struct LoopLines {
    std::int64_t max_passes = 0, stagnation = 0, patience = 0;
    std::uint32_t correct_last = 0, foresee = 0, corrected = 0, width = 0, residual = 0;
    const std::uint32_t* start = nullptr;
    const std::uint32_t* correction = nullptr;
};

// What becomes one function. Of a step (StepCode::run) `outputs` are the memory, the residual and `good`; of rows
// (RowCode) output k goes to rows[offsets[k]].
struct Unit {
    std::uint32_t is_rows = 0;
    std::uint32_t lanes = 1;           // of rows: how many are taken at once
    std::uint32_t register_lanes = 1;  // doubles in the widest register to be used
    std::uint32_t line_count = 0, loop_count = 0, output_count = 0;
    const Line* lines = nullptr;
    const LoopLines* loops = nullptr;
    const std::uint32_t* outputs = nullptr;
    const std::uint32_t* offsets = nullptr;
};

// Addresses of the elementary functions by Op, for 1, 4 and 8 doubles; null where the operation is an instruction.
inline constexpr std::size_t op_count = static_cast<std::size_t>(Op::interp) + 1;
struct Functions {
    const void* one[op_count];
    const void* four[op_count];
    const void* eight[op_count];
};

struct ModuleTable {
    std::uint32_t version;
    const char* name;  // "LLVM 14"
    // Compiles the units together and writes their addresses; false: `error` says why. Not for two threads at once.
    bool (*compile)(const Unit* units, std::size_t count, const Functions* functions, void** addresses, char* error,
                    std::size_t error_size);
};
using Entry = const ModuleTable* (*)();

}  // namespace libration::codegen
