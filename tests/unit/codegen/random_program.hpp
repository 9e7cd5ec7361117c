// Random programs for comparing generated code with the interpreters, with fixed seeds.
#pragma once

#include "codegen/step_program.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace libration::test {

// Equal to the bit; of a number that is none, sign and payload do not count.
inline bool same(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
    bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
    double uniform(double a, double b) { return a + (b - a) * (static_cast<double>(engine_() >> 11U) * 0x1p-53); }

    // Mostly of moderate size, now and then special.
    double value() {
        constexpr double inf = std::numeric_limits<double>::infinity();
        constexpr std::array special{
            0.0,   -0.0,   1.0,    -1.0, 5e-324, -3e-310, 2e-308, inf, -inf, std::numeric_limits<double>::quiet_NaN(),
            1e308, -1e300, 1e-200, 0.5,  -2.0,   7.0};
        if (chance(25)) {
            return special[below(special.size())];
        }
        return chance(80) ? uniform(-3, 3) : std::ldexp(uniform(-1, 1), static_cast<int>(below(400)) - 200);
    }

    // `size` instructions, none of them prepared, with each operation equally likely or, if tame, arithmetic more
    // often.
    Program program(std::size_t inputs, std::size_t size, std::size_t outputs, bool tame) {
        static constexpr std::array texts{"0", "1", "-1", "2", "1/2", "1/3", "pi", "-0.1", "1e-300", "4", "1e5"};
        Program p;
        p.inputs = static_cast<std::uint32_t>(inputs);
        p.registers = p.inputs;
        for (const auto* text : texts) {
            p.instructions.push_back({Op::constant, p.registers++, {static_cast<std::uint32_t>(p.constants.size())}});
            p.constants.emplace_back(text);
        }
        const auto any = [&] { return static_cast<std::uint32_t>(below(p.registers)); };
        // Recent registers are likelier, so that the graph is deep; old ones are shared.
        const auto recent = [&] {
            return chance(50) ? any() : static_cast<std::uint32_t>(p.registers - 1 - below(std::min(8U, p.registers)));
        };
        for (std::size_t n = 0; n < size; ++n) {
            const Op op = tame && chance(70) ? arithmetic[below(arithmetic.size())]
                                             : static_cast<Op>(2 + below(static_cast<std::size_t>(Op::mad) - 1));
            p.instructions.push_back({op, p.registers, {recent(), any(), recent()}});
            ++p.registers;
        }
        for (std::size_t k = 0; k < outputs; ++k) {
            p.outputs.push_back(recent());
        }
        return p;
    }

    // The same with the last of its inputs as parameters, and what depends on them alone prepared.
    static Program prepared(Program p, std::size_t parameters) {
        p.parameters = p.given = static_cast<std::uint32_t>(parameters);
        p.parameter_numbers.resize(parameters);
        std::iota(p.parameter_numbers.begin(), p.parameter_numbers.end(), 0U);
        p.inputs -= p.parameters;
        const auto first = p.inputs + p.parameters;
        std::vector<bool> varies(p.registers, false);
        std::fill_n(varies.begin(), p.inputs, true);
        std::vector<Instruction> early, late;
        for (const auto& i : p.instructions) {
            for (int k = 0; k < arity(i.op); ++k) {
                varies[i.target] = varies[i.target] || varies[i.arguments[static_cast<std::size_t>(k)]];
            }
            (varies[i.target] ? late : early).push_back(i);
        }
        // Registers are numbered in the order of instructions.
        std::vector<std::uint32_t> place(p.registers);
        for (std::uint32_t r = 0; r < first; ++r) {
            place[r] = r;
        }
        p.prepared = static_cast<std::uint32_t>(early.size());
        p.instructions = early;
        p.instructions.insert(p.instructions.end(), late.begin(), late.end());
        std::uint32_t next = first;
        for (auto& i : p.instructions) {
            place[i.target] = next;
            i.target = next++;
            if (i.op != Op::constant) {
                for (auto& a : i.arguments) {
                    a = place[a];
                }
            }
        }
        for (auto& r : p.outputs) {
            r = place[r];
        }
        return p;
    }

    // Constants, memory, and some loops whose controls vary too.
    StepProgram step(std::size_t memory, std::size_t loops) {
        StepProgram s;
        s.memory = memory;
        s.prepare = program(3, 6, 4, true);
        std::size_t known = s.constants() + memory;
        for (std::size_t n = 0; n < loops; ++n) {
            StepProgram::Loop loop;
            loop.control = {static_cast<int>(below(9)), static_cast<std::int64_t>(1 + below(5)),
                            static_cast<std::int64_t>(1 + below(3)), chance(50), chance(50)};
            loop.width = 1 + below(4);
            loop.corrected = chance(50);
            loop.start = program(known, 10, loop.width + (loop.corrected ? 1 : 0), true);
            loop.body = prepared(contraction(loop.width, known), known);
            s.loops.push_back(std::move(loop));
            known += s.loops.back().width + 3;
        }
        s.end = program(known, 30, memory + 2, true);
        return s;
    }

  private:
    static constexpr std::array arithmetic{Op::add,        Op::subtract,   Op::multiply, Op::mad,    Op::negate,
                                           Op::abs,        Op::min,        Op::max,      Op::select, Op::less,
                                           Op::less_equal, Op::logical_or, Op::floors,   Op::divide};

    // x_i moves half the way towards something random, and the residual is how far it is from there in floors of some
    // size; or both are random altogether.
    Program contraction(std::size_t width, std::size_t known) {
        auto p = program(width + known, 15, width + 1, true);
        if (chance(25)) {
            return p;
        }
        const auto constant = [&](const char* text) {
            p.instructions.push_back({Op::constant, p.registers, {static_cast<std::uint32_t>(p.constants.size())}});
            p.constants.emplace_back(text);
            return p.registers++;
        };
        const auto apply = [&](Op op, std::uint32_t a, std::uint32_t b) {
            p.instructions.push_back({op, p.registers, {a, b}});
            return p.registers++;
        };
        const auto factor = constant(chance(50) ? "7/8" : "1"), size = constant(chance(50) ? "1e-3" : "1/3");
        std::uint32_t residual = 0;
        for (std::size_t i = 0; i < width; ++i) {
            const auto x = static_cast<std::uint32_t>(i);
            const auto goal = static_cast<std::uint32_t>(width + below(known));
            const auto correction = apply(Op::multiply, apply(Op::subtract, goal, x), factor);
            const auto error = apply(Op::floors, correction, size);
            residual = i == 0 ? error : apply(Op::max, residual, error);
            p.outputs[i] = correction;
        }
        p.outputs[width] = residual;
        return p;
    }

    std::mt19937_64 engine_;
};

}  // namespace libration::test
