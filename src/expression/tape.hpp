// Runs a Program over one scalar: double, quadruple precision, dual numbers, packs, or traced numbers. The reference
// semantics of every other back end.
#pragma once

#include "program.hpp"
#include <libration/kit/scalar.hpp>
#include <libration/kit/tuned.hpp>

#include <cassert>
#include <memory>

namespace libration {

// The value of one operation; conditions are 1 and 0.
template <class S>
LIBRATION_INLINE S operate(Op op, const S& a, const S& b, const S& c) {
    const auto truth = [](const Mask<S>& mask) { return select(mask, lit<S>(1), lit<S>(0)); };
    const auto holds = [](const S& x) { return negate(equal(x, lit<S>(0))); };
    switch (op) {
        case Op::negate: return -a;
        case Op::add: return a + b;
        case Op::subtract: return a - b;
        case Op::multiply: return a * b;
        case Op::divide: return a / b;
        case Op::mad: return mad(a, b, c);
        case Op::sqrt: return sqrt(a);
        case Op::cbrt: return cbrt(a);
        case Op::exp: return exp(a);
        case Op::log: return log(a);
        case Op::sin: return sin(a);
        case Op::cos: return cos(a);
        case Op::tan: return tan(a);
        case Op::asin: return asin(a);
        case Op::acos: return acos(a);
        case Op::atan: return atan(a);
        case Op::sinh: return sinh(a);
        case Op::cosh: return cosh(a);
        case Op::tanh: return tanh(a);
        case Op::asinh: return asinh(a);
        case Op::acosh: return acosh(a);
        case Op::atanh: return atanh(a);
        case Op::abs: return absv(a);
        case Op::sign: return sign(a);
        case Op::floor: return floor(a);
        case Op::power: return pow(a, b);
        case Op::atan2: return atan2(a, b);
        case Op::hypot: return hypot(a, b);
        case Op::min: return minv(a, b);
        case Op::max: return maxv(a, b);
        case Op::less: return truth(less(a, b));
        case Op::less_equal: return truth(less_equal(a, b));
        case Op::equal: return truth(equal(a, b));
        case Op::logical_not: return truth(equal(a, lit<S>(0)));
        case Op::logical_and: return truth(both(holds(a), holds(b)));
        case Op::logical_or: return truth(either(holds(a), holds(b)));
        case Op::select: return select(holds(a), b, c);
        case Op::interp: return interpolate(a, b, c);
        case Op::floors:
            // Only traced steps contain it, and they run on real numbers.
            if constexpr (std::is_same_v<S, Real<S>>) {
                return floors(a, b);
            }
            break;
        case Op::constant:
        case Op::symbol: break;
    }
    assert(false && "not an operation");
    return a;
}

// Machine code in the place of the interpreter: what run(count) does, on the same rows of registers.
using RowFunction = void (*)(double* rows, std::size_t count);

// Owns its registers: make one tape a thread. Evaluation allocates nothing.
template <class S>
class Tape {
  public:
    Tape() = default;
    // `parameters`: one value for each parameter of the program.
    Tape(Program program, std::span<const S> parameters)
        : Tape(std::make_shared<const Program>(std::move(program)), parameters) {}
    // Many tapes may share a program.
    Tape(std::shared_ptr<const Program> program, std::span<const S> parameters)
        : program_(std::move(program)), registers_(program_->registers, lit<S>(0)) {
        const auto& code = *program_;
        assert(parameters.size() == code.given);
        for (std::size_t k = 0; k < code.parameters; ++k) {
            registers_[code.inputs + k] = parameters[code.parameter_numbers[k]];
        }
        for (std::uint32_t k = 0; k < code.prepared; ++k) {
            const auto& i = code.instructions[k];
            if (i.op == Op::constant) {
                registers_[i.target] = from_text<S>(code.constants[i.arguments[0]]);
            } else {
                run(i);
            }
        }
        varying_ = std::span(code.instructions).subspan(code.prepared);
        outputs_ = code.outputs;
    }

    [[nodiscard]] std::uint32_t inputs() const { return program_ ? program_->inputs : 0; }
    [[nodiscard]] std::size_t outputs() const { return outputs_.size(); }
    [[nodiscard]] const Program& program() const { return program_ ? *program_ : no_program(); }

    // Set every input, run, read the outputs.
    S& input(std::size_t k) { return registers_[k]; }
    // New values of the parameters that change from step to step.
    void set_turns(std::span<const S> angles) {
        for (std::size_t k = 0; k < turns(); ++k) {
            registers_[turn_register(k)] = angles[turn_number(k)];
        }
    }
    // How many of these the program contains, and where.
    [[nodiscard]] std::size_t turns() const { return program_ ? program_->turn_numbers.size() : 0; }
    [[nodiscard]] std::size_t turn_number(std::size_t k) const { return program_->turn_numbers[k]; }
    [[nodiscard]] std::uint32_t turn_register(std::size_t k) const {
        return program_->inputs + program_->parameters - static_cast<std::uint32_t>(turns() - k);
    }
    void run() {
        if constexpr (std::is_same_v<S, double>) {
            if (code_ != nullptr) {
                code_(registers_.data(), 1);
                return;
            }
        }
        for (const auto& i : varying_) {
            run(i);
        }
    }
    [[nodiscard]] const S& output(std::size_t k) const { return registers_[outputs_[k]]; }
    [[nodiscard]] const S& register_value(std::size_t r) const { return registers_[r]; }
    [[nodiscard]] std::span<const S> registers() const { return registers_; }
    // Registers are rows of one lane.
    void use_code(RowFunction code) { code_ = code; }

  private:
    void run(const Instruction& i) {
        registers_[i.target] =
            operate(i.op, registers_[i.arguments[0]], registers_[i.arguments[1]], registers_[i.arguments[2]]);
    }

    static const Program& no_program() {
        static const Program none;
        return none;
    }

    std::shared_ptr<const Program> program_;
    std::span<const Instruction> varying_;    // of the program
    std::span<const std::uint32_t> outputs_;  // likewise
    std::vector<S> registers_;
    RowFunction code_ = nullptr;
};

}  // namespace libration
