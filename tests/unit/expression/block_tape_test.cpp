// Blocks of lanes against the tape, which is the reference semantics: the same bits in every lane.
#include "expression/block_tape.hpp"
#include <libration/kit/dual.hpp>
#include <libration/kit/quad.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

namespace libration {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Which of two NaNs an operation passes on is left to the processor and to the compiler; that it is one is not.
bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }
#ifdef LIBRATION_HAS_QUAD
bool same(Quad a, Quad b) { return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); }
#endif
bool same(const Dual<double>& a, const Dual<double>& b) {
    bool all = same(a.value, b.value);
    for (std::size_t k = 0; k < dual_width; ++k) {
        all = all && same(a.tangent[k], b.tangent[k]);
    }
    return all;
}

std::vector<Op> operations(bool with_floors) {
    std::vector<Op> all;
    for (int k = static_cast<int>(Op::negate); k <= static_cast<int>(Op::mad); ++k) {
        if (with_floors || static_cast<Op>(k) != Op::floors) {  // floors has no meaning for dual numbers
            all.push_back(static_cast<Op>(k));
        }
    }
    return all;
}

// A program as `compile` lays it out, with any operation anywhere: prepared ones see parameters and constants, the
// others all registers before them, half of the time the latest ones. Some are dead, some inputs unread; outputs are
// any registers, some of them twice.
Program random_program(std::mt19937_64& random, bool with_floors, std::size_t varying) {
    const auto ops = operations(with_floors);
    const auto below = [&](std::size_t bound) {
        return static_cast<std::uint32_t>(std::uniform_int_distribution<std::size_t>(0, bound - 1)(random));
    };
    Program program;
    program.inputs = 1 + below(5);
    program.parameters = program.given = below(3);
    program.parameter_numbers.resize(program.parameters);
    std::iota(program.parameter_numbers.begin(), program.parameter_numbers.end(), 0U);
    program.constants = {"1/3", "-2", "0", "pi"};
    program.registers = program.inputs + program.parameters;
    const auto add = [&](Op op, std::uint32_t lowest) {
        Instruction i{op, program.registers, {}};
        for (std::size_t k = 0; k < static_cast<std::size_t>(arity(op)); ++k) {
            const auto from =
                below(2) == 0 ? lowest : std::max(lowest, program.registers - std::min(program.registers, 4U));
            i.arguments[k] = from + below(program.registers - from);
        }
        program.instructions.push_back(i);
        ++program.registers;
    };
    for (std::uint32_t k = 0; k < program.constants.size(); ++k) {
        program.instructions.push_back({Op::constant, program.registers++, {k, 0, 0}});
    }
    for (int k = 0; k < 3; ++k) {
        add(ops[below(ops.size())], program.inputs);
    }
    program.prepared = static_cast<std::uint32_t>(program.instructions.size());
    for (std::size_t k = 0; k < varying; ++k) {
        add(ops[below(ops.size())], 0);
    }
    const std::size_t outputs = 1 + below(8);
    for (std::size_t k = 0; k < outputs; ++k) {
        program.outputs.push_back(below(program.registers));
    }
    program.outputs.push_back(program.outputs.front());
    return program;
}

template <class S>
S random_number(std::mt19937_64& random) {
    static constexpr std::array special{0.0, -0.0, 1.0, -1.0, infinity, -infinity, not_a_number, 5e-324, 1e308};
    if (random() % 8 == 0) {
        return from_double<S>(special[random() % special.size()]);
    }
    auto number = from_double<S>(std::normal_distribution<double>(0, 2)(random));
    if constexpr (!std::is_same_v<S, Real<S>>) {
        for (auto& slope : number.tangent) {
            slope = std::normal_distribution<double>(0, 1)(random);
        }
    }
    return number;
}

// Runs all instances, in blocks as a term does and one by one; the number of outputs of all instances that differ.
template <class S>
std::size_t differences(const Program& program, std::size_t instances, std::mt19937_64& random) {
    std::vector<S> parameters;
    for (std::uint32_t k = 0; k < program.parameters; ++k) {
        parameters.push_back(random_number<S>(random));
    }
    std::vector<std::vector<S>> inputs(instances);
    for (auto& instance : inputs) {
        for (std::uint32_t k = 0; k < program.inputs; ++k) {
            instance.push_back(random_number<S>(random));
        }
    }
    Tape<S> tape(program, parameters);
    BlockTape<S> blocks(program, parameters, instances);
    std::size_t different = 0;
    for (std::size_t first = 0; first < instances; first += blocks.lanes()) {
        const std::size_t count = std::min(blocks.lanes(), instances - first);
        for (std::size_t k = 0; k < program.inputs; ++k) {
            for (std::size_t l = 0; l < count && blocks.reads(k); ++l) {
                blocks.input(k)[l] = inputs[first + l][k];
            }
        }
        tuned<S>([&]() LIBRATION_TUNED { blocks.run(count); });
        for (std::size_t l = 0; l < count; ++l) {
            for (std::size_t k = 0; k < program.inputs; ++k) {
                tape.input(k) = inputs[first + l][k];
            }
            tape.run();
            for (std::size_t k = 0; k < program.outputs.size(); ++k) {
                different += same(blocks.output(k)[l], tape.output(k)) ? 0 : 1;
            }
        }
    }
    return different;
}

TEST(BlockTape, every_lane_of_a_random_program_has_the_bits_of_the_tape) {
    std::mt19937_64 random(1);
    for (int n = 0; n < 300; ++n) {
        const auto program = random_program(random, true, 1 + random() % 60);
        for (const std::size_t instances : {1, 2, 7, 63, 64, 65, 128, 130}) {
            ASSERT_EQ(differences<double>(program, instances, random), 0) << "program " << n << ", " << instances;
        }
    }
}

TEST(BlockTape, every_operation_alone_has_the_bits_of_the_tape) {
    std::mt19937_64 random(2);
    for (const auto op : operations(true)) {
        const Program program{.inputs = 3, .registers = 4, .instructions = {{op, 3, {0, 1, 2}}}, .outputs = {3}};
        for (const std::size_t instances : {1, 3, 64, 1000}) {
            EXPECT_EQ(differences<double>(program, instances, random), 0) << name(op) << ", " << instances;
        }
        for (std::uint32_t k = 0; k < 3; ++k) {
            EXPECT_EQ(BlockTape<double>(program, {}, 64).reads(k), static_cast<int>(k) < arity(op)) << name(op);
        }
    }
}

TEST(BlockTape, one_argument_in_all_places_has_the_bits_of_the_tape) {
    std::mt19937_64 random(3);
    for (const auto op : operations(true)) {
        const Program program{
            .inputs = 1, .registers = 3, .instructions = {{op, 1, {0, 0, 0}}, {op, 2, {1, 1, 1}}}, .outputs = {2}};
        EXPECT_EQ(differences<double>(program, 130, random), 0) << name(op);
    }
}

TEST(BlockTape, heavy_scalars_have_the_bits_of_the_tape) {
    std::mt19937_64 random(4);
    for (int n = 0; n < 100; ++n) {
        const auto size = 1 + random() % 20;
        const auto program = random_program(random, false, size);
        ASSERT_EQ(differences<Dual<double>>(program, 3, random), 0) << n;
#ifdef LIBRATION_HAS_QUAD
        ASSERT_EQ(differences<Quad>(program, 3, random), 0) << n;
#endif
    }
}

// What is no instruction can be an output: an input, a parameter, a constant, and any of them again.
TEST(BlockTape, outputs_may_be_inputs_parameters_and_constants) {
    const auto x = symbol("x"), y = symbol("y"), a = symbol("a"), unused = symbol("unused");
    const auto program =
        compile(std::array{y, a, Expression(7), x * y, y, x * y, a * a}, std::array{unused, x, y}, std::array{a});
    BlockTape<double> tape(program, std::array{3.0}, 100);
    ASSERT_EQ(tape.lanes(), 64);
    EXPECT_FALSE(tape.reads(0));
    for (int block = 0; block < 3; ++block) {
        for (std::size_t l = 0; l < 64; ++l) {
            tape.input(1)[l] = 2;
            tape.input(2)[l] = static_cast<double>(l) + block;
        }
        tape.run(64);
        for (std::size_t l = 0; l < 64; ++l) {
            const double at = static_cast<double>(l) + block;
            const std::array expected{at, 3.0, 7.0, 2 * at, at, 2 * at, 9.0};
            for (std::size_t k = 0; k < expected.size(); ++k) {
                EXPECT_EQ(tape.output(k)[l], expected[k]) << k;
            }
        }
    }
}

// A partial block leaves the lanes behind it alone, and what an earlier block left there does not matter.
TEST(BlockTape, a_partial_block_writes_its_own_lanes_only) {
    const auto x = symbol("x");
    BlockTape<double> tape(compile(std::array{x * x + 1}, std::array{x}), {}, 64);
    for (const std::size_t count : {64, 5, 1}) {
        for (std::size_t l = 0; l < 64; ++l) {
            tape.input(0)[l] = static_cast<double>(count);
        }
        tape.run(count);
        for (std::size_t l = 0; l < 64; ++l) {
            EXPECT_EQ(tape.output(0)[l] == static_cast<double>(count * count + 1), l < count)
                << count << ", lane " << l;
        }
    }
}

}  // namespace
}  // namespace libration
