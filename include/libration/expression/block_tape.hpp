// Runs a Program for a block of instances at once: every register is a row of lanes, every instruction a loop over them. A
// lane holds the bits that a Tape would give, whatever the block.
#pragma once

#include <libration/expression/tape.hpp>
#include <libration/scalar/aligned.hpp>
#include <libration/scalar/tuned.hpp>

#include <algorithm>

namespace libration {

template <class S>
class BlockTape {
  public:
    // Long enough to hide the cost of reading an instruction, short enough for some forty registers in the first-level
    // cache. Scalars other than double are heavy themselves and go one by one.
    static constexpr std::size_t most_lanes = std::is_same_v<S, double> ? 64 : 1;

    BlockTape() = default;
    BlockTape(Program program, std::span<const S> parameters, std::size_t instances)
        : lanes_(std::clamp<std::size_t>(instances, 1, most_lanes)) {
        const Tape<S> tape(std::move(program), parameters);
        const auto& code = tape.program();
        outputs_ = code.outputs;
        varying_.assign(code.instructions.begin() + code.prepared, code.instructions.end());
        reads_.assign(code.inputs, 0);
        const auto mark = [&](std::uint32_t r) {
            if (r < code.inputs) {
                reads_[r] = 1;
            }
        };
        for (const auto& i : varying_) {
            for (int k = 0; k < arity(i.op); ++k) {
                mark(i.arguments[static_cast<std::size_t>(k)]);
            }
        }
        std::ranges::for_each(outputs_, mark);
        // From numbers of registers to places of their first lanes.
        const auto width = static_cast<std::uint32_t>(lanes_);
        for (auto& i : varying_) {
            i.target *= width;
            for (auto& argument : i.arguments) {
                argument *= width;
            }
        }
        registers_.reserve(code.registers * lanes_);
        for (std::uint32_t r = 0; r < code.registers; ++r) {
            registers_.insert(registers_.end(), lanes_, tape.register_value(r));
        }
    }

    [[nodiscard]] std::size_t lanes() const { return lanes_; }
    // Whether an input matters; the others need not be set.
    [[nodiscard]] bool reads(std::size_t input) const { return reads_[input] != 0; }

    // Rows of lanes: set every input that is read, run, read the outputs.
    S* input(std::size_t k) { return &registers_[k * lanes_]; }
    [[nodiscard]] const S* output(std::size_t k) const { return &registers_[outputs_[k] * lanes_]; }

    LIBRATION_INLINE void run(std::size_t count) {
        if (count == 1) {
            for (const auto& i : varying_) {
                *row(i.target) = operate(i.op, *row(i.arguments[0]), *row(i.arguments[1]), *row(i.arguments[2]));
            }
        } else if (count == most_lanes) {
            for (const auto& i : varying_) {
                execute(i, most_lanes);
            }
        } else {
            for (const auto& i : varying_) {
                execute(i, count);
            }
        }
    }

  private:
    S* row(std::uint32_t place) { return registers_.data() + place; }

    LIBRATION_INLINE void execute(const Instruction& i, std::size_t count) {
        // A register is written once, so the target is none of the arguments.
        S* __restrict target = row(i.target);
        const S* a = row(i.arguments[0]);
        const S* b = row(i.arguments[1]);
        const S* c = row(i.arguments[2]);
#define LIBRATION_LANES(value)                \
    for (std::size_t l = 0; l < count; ++l) { \
        target[l] = value;                    \
    }                                         \
    break;
        switch (i.op) {
            case Op::negate: LIBRATION_LANES(-a[l])
            case Op::add: LIBRATION_LANES(a[l] + b[l])
            case Op::subtract: LIBRATION_LANES(a[l] - b[l])
            case Op::multiply: LIBRATION_LANES(a[l] * b[l])
            case Op::divide: LIBRATION_LANES(a[l] / b[l])
            case Op::mad: LIBRATION_LANES(mad(a[l], b[l], c[l]))
            case Op::sqrt: LIBRATION_LANES(sqrt(a[l]))
            case Op::abs: LIBRATION_LANES(absv(a[l]))
            default: LIBRATION_LANES(operate(i.op, a[l], b[l], c[l]))
        }
#undef LIBRATION_LANES
    }

    std::size_t lanes_ = 1;
    std::vector<Instruction> varying_;
    std::vector<std::uint32_t> outputs_;
    std::vector<std::uint8_t> reads_;
    AlignedVector<S> registers_;
};

}  // namespace libration
