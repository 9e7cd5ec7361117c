// A step or a kernel as a list of values, each computed once: what the module turns into machine code.
#pragma once

#include "module_interface.hpp"

#include "machine_code.hpp"

#include <unordered_map>

namespace libration::codegen {

struct Loop {
    IterationControl control;
    std::vector<std::uint32_t> start, correction;  // start: also the residual before, if it is corrected
    std::uint32_t residual = 0;
};

struct Code {
    std::vector<Line> lines;
    std::vector<Loop> loops;
    std::vector<std::uint32_t> outputs;
    std::vector<std::uint32_t> offsets;  // of outputs, if these are rows
    bool rows = false;
};

// Lists values, shares equal ones, and makes those simplifications that change no bit (of a NaN the sign and the
// payload may change: nothing depends on them).
class CodeBuilder {
  public:
    std::uint32_t number(double value);
    std::uint32_t source(Source what, std::size_t index, std::size_t entry = 0);
    std::uint32_t operation(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c);

    // Values listed between the two are known inside the loop only. `loop.start` must be known before, the rest at its
    // end.
    std::uint32_t begin_loop(std::vector<std::uint32_t> start, const IterationControl& control);
    void end_loop(std::vector<std::uint32_t> correction, std::uint32_t residual);

    // Without the lines that no output needs.
    Code finish(std::vector<std::uint32_t> outputs);

  private:
    struct Key {
        std::uint32_t what, a, b, c;
        std::uint64_t bits;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const noexcept;
    };
    std::uint32_t add(const Line& line);
    [[nodiscard]] bool is(std::uint32_t line, Op op) const {
        return code_.lines[line].what == static_cast<std::uint32_t>(op);
    }
    [[nodiscard]] bool is_number(std::uint32_t line, double value) const;
    [[nodiscard]] bool is_number(std::uint32_t line) const { return is(line, Op::constant); }
    [[nodiscard]] std::uint32_t argument(std::uint32_t line) const { return code_.lines[line].arguments[0]; }
    // The line that has the bits of op(a, b, c) without a new operation, or with a cheaper one; `nothing` if there is
    // none.
    std::uint32_t simpler(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c);
    [[nodiscard]] bool is_never_negative_zero(const Line& line) const;
    std::uint32_t simpler_sum(std::uint32_t a, std::uint32_t b);
    std::uint32_t simpler_difference(std::uint32_t a, std::uint32_t b);
    std::uint32_t simpler_product(std::uint32_t a, std::uint32_t b);
    std::uint32_t simpler_quotient(std::uint32_t a, std::uint32_t b);

    Code code_;
    std::unordered_map<Key, std::uint32_t, Hash> known_;
    std::vector<Key> inside_;                // the loop that is open
    std::vector<bool> never_negative_zero_;  // of each line
    bool open_ = false;
};

Code code_of(const StepProgram& program);
Code code_of(const RowProgram& program);

}  // namespace libration::codegen
