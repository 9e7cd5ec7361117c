// Runs a Program for a block of instances at once: every register is a row of lanes, every instruction a loop over
// them. A lane is bitwise identical to a Tape, for any block.
#pragma once

#include "scalar/aligned.hpp"
#include "tape.hpp"
#include <libration/kit/tuned.hpp>

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
        : BlockTape(std::make_shared<const Program>(std::move(program)), parameters, instances) {}
    BlockTape(std::shared_ptr<const Program> program, std::span<const S> parameters, std::size_t instances)
        : tape_(std::move(program), parameters), lanes_(std::clamp<std::size_t>(instances, 1, most_lanes)) {
        const auto& code = tape_.program();
        varying_.assign(code.instructions.begin() + code.prepared, code.instructions.end());
        const auto last = last_uses(code);
        reads_.assign(last.begin(), last.begin() + code.inputs);
        const auto place = assign_rows(code, last);
        registers_.assign(rows_ * lanes_, lit<S>(0));
        for (std::uint32_t r = code.inputs; r < code.registers; ++r) {
            if (place[r] != nowhere && last[r] != 0 && !is_varying(code, r)) {
                std::fill_n(registers_.begin() + place[r], lanes_, tape_.register_value(r));
            }
        }
        for (std::uint32_t k = 0; k < code.inputs; ++k) {
            inputs_.push_back(place[k]);
        }
        for (const auto r : code.outputs) {
            outputs_.push_back(place[r]);
        }
        for (std::size_t k = 0; k < tape_.turns(); ++k) {
            turns_.push_back(place[tape_.turn_register(k)]);
        }
        for (auto& i : varying_) {
            i.target = place[i.target];
            for (std::size_t k = 0; k < i.arguments.size(); ++k) {
                i.arguments[k] = static_cast<int>(k) < arity(i.op) ? place[i.arguments[k]] : 0;
            }
        }
    }

    [[nodiscard]] std::size_t lanes() const { return lanes_; }
    // The program for one instance, and the places of the first lanes of its inputs and outputs among the rows. An
    // output may have the row of an input.
    [[nodiscard]] const Tape<S>& tape() const { return tape_; }
    [[nodiscard]] const std::vector<std::uint32_t>& input_places() const { return inputs_; }
    [[nodiscard]] const std::vector<std::uint32_t>& output_places() const { return outputs_; }
    void use_code(RowFunction code) { code_ = code; }
    // Whether an input matters; the others need not be set.
    [[nodiscard]] bool reads(std::size_t input) const { return reads_[input] != 0; }

    // New values of the parameters that change from step to step, and their places; some may be read by nothing.
    static constexpr std::uint32_t nowhere = 0xffffffff;
    void set_turns(std::span<const S> angles) {
        for (std::size_t k = 0; k < turns_.size(); ++k) {
            if (turns_[k] != nowhere) {
                std::fill_n(registers_.begin() + turns_[k], lanes_, angles[tape_.turn_number(k)]);
            }
        }
    }
    [[nodiscard]] const std::vector<std::uint32_t>& turn_places() const { return turns_; }

    // Rows of lanes: set every input that is read, run, read the outputs.
    S* input(std::size_t k) { return registers_.data() + inputs_[k]; }
    [[nodiscard]] const S* output(std::size_t k) const { return registers_.data() + outputs_[k]; }

    LIBRATION_INLINE void run(std::size_t count) {
        if constexpr (std::is_same_v<S, double>) {
            if (code_ != nullptr) {
                code_(registers_.data(), count);
                return;
            }
        }
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
    static bool is_varying(const Program& code, std::uint32_t r) {
        return r < code.inputs || r >= code.inputs + code.parameters + code.prepared;
    }

    // For each register the number of the last instruction that reads it, counted from 1 over those that vary; 0: none
    // does; one more than all: it is an output.
    static std::vector<std::uint32_t> last_uses(const Program& code) {
        std::vector<std::uint32_t> last(code.registers, 0);
        std::uint32_t number = 0;
        for (std::size_t n = code.prepared; n < code.instructions.size(); ++n) {
            const auto& i = code.instructions[n];
            ++number;
            for (int k = 0; k < arity(i.op); ++k) {
                last[i.arguments[static_cast<std::size_t>(k)]] = number;
            }
        }
        for (const auto r : code.outputs) {
            last[r] = number + 1;
        }
        return last;
    }

    // Places of the first lanes of all registers. A row serves again when its register is read for the last time, so
    // that few rows are in use and stay in the first-level cache. Constants and parameters keep theirs from block to
    // block.
    std::vector<std::uint32_t> assign_rows(const Program& code, std::span<const std::uint32_t> last) {
        std::vector<std::uint32_t> place(code.registers, nowhere), free;
        const auto width = static_cast<std::uint32_t>(lanes_);
        const auto new_row = [&] { return static_cast<std::uint32_t>(rows_++) * width; };
        for (std::uint32_t r = 0; r < code.registers; ++r) {
            if (r < code.inputs || (last[r] != 0 && !is_varying(code, r))) {
                place[r] = new_row();
            }
        }
        std::uint32_t number = 0;
        for (const auto& i : varying_) {
            ++number;
            if (free.empty()) {
                free.push_back(new_row());
            }
            place[i.target] = free.back();
            free.pop_back();
            if (last[i.target] == 0) {
                free.push_back(place[i.target]);
            }
            for (int k = 0; k < arity(i.op); ++k) {
                const auto r = i.arguments[static_cast<std::size_t>(k)];
                const bool again = std::find(free.begin(), free.end(), place[r]) != free.end();
                if (last[r] == number && is_varying(code, r) && !again) {
                    free.push_back(place[r]);
                }
            }
        }
        return place;
    }

    S* row(std::uint32_t place) { return registers_.data() + place; }

    LIBRATION_INLINE void execute(const Instruction& i, std::size_t count) {
        // The row of an argument is not free for the target: see assign_rows.
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

    Tape<S> tape_;
    std::size_t lanes_ = 1;
    std::vector<Instruction> varying_;
    std::size_t rows_ = 0;
    std::vector<std::uint32_t> inputs_, outputs_, turns_;  // places of their first lanes
    std::vector<std::uint32_t> reads_;
    AlignedVector<S> registers_;
    RowFunction code_ = nullptr;
};

}  // namespace libration
