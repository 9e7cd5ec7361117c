// Generated steps against the interpreter of recorded steps.
#include "random_program.hpp"

#include "codegen/machine_code.hpp"
#include "codegen/traced_program.hpp"
#include "scalar/aligned.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <thread>

namespace libration::test {
namespace {

// The arrays of a batch, [entry][lane].
struct Batch {
    Batch(const StepProgram& program, std::size_t width)
        : lanes(width), memory(program.memory), constants(program.constants() * width),
          state((program.memory + 2) * width), other(state.size()), worst(width, 0) {}
    std::int64_t run(const StepCode& code, std::int64_t steps) {
        const auto made = code.run(steps, constants.data(), state.data(), other.data(), worst.data());
        if (made % 2 != 0) {
            std::swap(state, other);
        }
        return made;
    }
    [[nodiscard]] double now(std::size_t entry, std::size_t lane) const { return state[entry * lanes + lane]; }
    [[nodiscard]] double refused(std::size_t entry, std::size_t lane) const { return other[entry * lanes + lane]; }

    std::size_t lanes, memory;
    AlignedVector<double> constants, state, other, worst;
};

// Each lane interpreted on its own, all of them stopped by the first step that is not good in one of them.
struct Expected {
    std::int64_t made = 0;
    std::vector<std::vector<double>> state, next;  // [lane][entry]
    std::vector<double> worst;
};

Expected interpret(std::vector<TracedProgram>& programs, std::vector<std::vector<double>> state, std::int64_t steps) {
    const std::size_t memory = state[0].size();
    Expected e{0, std::move(state), {}, std::vector<double>(programs.size(), 0)};
    for (; e.made < steps; ++e.made) {
        e.next.assign(programs.size(), std::vector<double>(memory + 2));
        bool good = true;
        for (std::size_t l = 0; l < programs.size(); ++l) {
            programs[l].run(e.state[l], e.next[l]);
            good = good && e.next[l][memory + 1] == 1;
        }
        if (!good) {
            return e;
        }
        for (std::size_t l = 0; l < programs.size(); ++l) {
            e.worst[l] = maxv(e.worst[l], e.next[l][memory]);
            e.next[l].resize(memory);
            e.state[l] = e.next[l];
        }
    }
    return e;
}

void compare(Random& random, const StepProgram& program, std::size_t lanes, std::int64_t steps,
             const std::string& what) {
    std::string why;
    const auto code = generate_step(program, lanes, &why);
    ASSERT_NE(code, nullptr) << why;
    ASSERT_EQ(code->lanes(), lanes);
    Batch batch(program, lanes);
    std::vector<TracedProgram> singles;
    std::vector<std::vector<double>> start(lanes);
    for (std::size_t l = 0; l < lanes; ++l) {
        std::vector<double> parameters;
        for (std::size_t k = 0; k < program.prepare.inputs; ++k) {
            parameters.push_back(random.value());
        }
        singles.emplace_back(program, parameters);
        for (std::size_t k = 0; k < program.constants(); ++k) {
            batch.constants[k * lanes + l] = singles.back().constants()[k];
        }
        for (std::size_t k = 0; k < program.memory; ++k) {
            start[l].push_back(random.value());
            batch.state[k * lanes + l] = start[l].back();
        }
    }
    const auto expected = interpret(singles, start, steps);
    ASSERT_EQ(batch.run(*code, steps), expected.made) << what;
    for (std::size_t l = 0; l < lanes; ++l) {
        for (std::size_t k = 0; k < program.memory; ++k) {
            ASSERT_TRUE(same(batch.now(k, l), expected.state[l][k])) << what << " entry " << k << " lane " << l;
        }
        ASSERT_TRUE(same(batch.worst[l], expected.worst[l])) << what << " worst of lane " << l;
        if (expected.made < steps) {
            for (std::size_t k = 0; k < program.memory + 2; ++k) {
                ASSERT_TRUE(same(batch.refused(k, l), expected.next[l][k]))
                    << what << " refused " << k << " lane " << l;
            }
        }
    }
}

TEST(GeneratedStep, has_in_every_lane_the_bits_of_the_interpreter) {
    ASSERT_TRUE(code_support().available) << code_support().reason;
    Random random(1234);
    for (int n = 0; n < 100; ++n) {
        auto program = random.step(1 + random.below(6), static_cast<std::size_t>(n) % 4);
        if (n % 3 != 0) {
            program.end.outputs.back() = program.end.inputs + 1;  // the constant 1: always good
        }
        for (const std::size_t lanes : {1, 4, 8, 16}) {
            compare(random, program, lanes, 3, "program " + std::to_string(n) + ", lanes " + std::to_string(lanes));
        }
    }
}

TEST(GeneratedStep, takes_any_number_of_lanes) {
    Random random(99);
    const auto program = random.step(4, 2);
    for (const std::size_t lanes : {2, 3, 5, 6, 12, 20, 24, 32}) {
        compare(random, program, lanes, 2, "lanes " + std::to_string(lanes));
    }
}

// As on a machine without AVX-512: a process of its own, because support is looked up once.
[[noreturn]] void narrow() {
    setenv("LIBRATION_NARROW_VECTORS", "1", 1);
    Random random(31);
    for (int n = 0; n < 8; ++n) {
        const auto program = random.step(3, 2);
        for (const std::size_t lanes : {1, 4, 8, 16}) {
            compare(random, program, lanes, 2, "program " + std::to_string(n) + ", lanes " + std::to_string(lanes));
        }
    }
    std::exit(code_support().vector_lanes == 4 && !testing::Test::HasFailure() ? 0 : 1);
}

TEST(GeneratedStep, has_the_same_bits_in_narrow_registers) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(narrow(), testing::ExitedWithCode(0), "");
}

// x, goal, h -> x by Newton's iteration for x^2 = goal; the memory keeps the passes.
StepProgram square_root(const IterationControl& control) {
    TraceRecorder recorder;
    const auto x = symbol("x"), goal = symbol("goal"), passes = symbol("passes");
    std::vector<Traced> root{{x}}, correction{{x}};
    const auto report = iterate(control, std::span<Traced>(root), std::span<Traced>(correction),
                                [&](std::span<const Traced> r, std::span<Traced> dr) {
                                    dr[0] = (Traced{goal} - r[0] * r[0]) / (lit<Traced>(2) * r[0]);
                                    return floors(dr[0], epsilon<Traced>() * absv(r[0]));
                                });
    return step_program(recorder.loops(), {}, std::array{x, goal, passes},
                        std::array{root[0].expression, goal, report.passes.expression, report.residual.expression,
                                   report.converged.expression});
}

TEST(GeneratedStep, lanes_stop_at_passes_of_their_own) {
    for (const bool correct_last : {false, true}) {
        const auto program = square_root({.correct_last = correct_last});
        const auto many = generate_step(program, 8), one = generate_step(program, 1);
        ASSERT_TRUE(many != nullptr && one != nullptr);
        Batch batch(program, 8);
        for (std::size_t l = 0; l < 8; ++l) {
            batch.state[l] = 1;
            batch.state[8 + l] = std::pow(10.0, static_cast<double>(l));
        }
        const auto start = batch.state;
        ASSERT_EQ(batch.run(*many, 1), 1);
        for (std::size_t l = 0; l < 8; ++l) {
            Batch single(program, 1);
            single.state[0] = start[l];
            single.state[1] = start[8 + l];
            ASSERT_EQ(single.run(*one, 1), 1);
            EXPECT_NEAR(single.now(0, 0), std::sqrt(start[8 + l]), 1e-15 * std::sqrt(start[8 + l]));
            EXPECT_EQ(batch.now(0, l), single.now(0, 0));
            EXPECT_EQ(batch.now(2, l), single.now(2, 0)) << "passes of lane " << l;
        }
        EXPECT_LT(batch.now(2, 0), batch.now(2, 3));
        EXPECT_LT(batch.now(2, 3), batch.now(2, 7));
    }
}

// The body computes a*b anew at each pass, and the memory keeps a*b too: it must be known behind the loop.
TEST(GeneratedStep, a_value_of_a_loop_and_one_behind_it_may_be_the_same) {
    StepProgram program;
    program.memory = 3;
    StepProgram::Loop loop;
    loop.width = 1;
    loop.start = {.inputs = 3, .registers = 3, .outputs = {2}};
    loop.body = {.inputs = 1, .parameters = 3, .registers = 8};
    loop.body.instructions = {
        {Op::multiply, 4, {1, 2}}, {Op::subtract, 5, {4, 0}}, {Op::constant, 6, {0}}, {Op::floors, 7, {5, 6}}};
    loop.body.constants = {"1e-15"};
    loop.body.outputs = {5, 7};
    program.loops.push_back(loop);
    program.end = {.inputs = 7, .registers = 8, .outputs = {0, 1, 7, 5, 6}};
    program.end.instructions = {{Op::multiply, 7, {0, 1}}};
    Random random(77);
    for (const std::size_t lanes : {1, 8}) {
        compare(random, program, lanes, 3, "lanes " + std::to_string(lanes));
    }
}

// Lane 2 is not a number, lane 5 never converges: there is no root of -1.
TEST(GeneratedStep, a_lane_that_fails_does_not_disturb_the_others) {
    const auto program = square_root({});
    const auto code = generate_step(program, 8);
    ASSERT_NE(code, nullptr);
    Batch batch(program, 8), well(program, 8);
    for (std::size_t l = 0; l < 8; ++l) {
        batch.state[l] = well.state[l] = 1.3;
        well.state[8 + l] = 2.0 + static_cast<double>(l);
        batch.state[8 + l] = l == 2 ? std::nan("") : l == 5 ? -1 : well.state[8 + l];
    }
    ASSERT_EQ(well.run(*code, 1), 1);
    ASSERT_EQ(batch.run(*code, 5), 0);
    for (std::size_t l = 0; l < 8; ++l) {
        const bool fails = l == 2 || l == 5;
        EXPECT_EQ(batch.refused(4, l), fails ? 0 : 1);
        if (!fails) {
            EXPECT_TRUE(same(batch.refused(0, l), well.now(0, l))) << "lane " << l;
        }
        EXPECT_EQ(batch.now(0, l), 1.3) << "the state before the refused step";
    }
}

TEST(GeneratedStep, makes_no_step_if_none_is_wanted) {
    const auto program = square_root({});
    const auto code = generate_step(program, 4);
    ASSERT_NE(code, nullptr);
    Batch batch(program, 4);
    std::fill(batch.other.begin(), batch.other.end(), 9);
    EXPECT_EQ(batch.run(*code, 0), 0);
    EXPECT_EQ(batch.other[0], 9);
}

TEST(GeneratedStep, is_made_once_also_for_threads_that_ask_together) {
    const auto program = square_root({.max_passes = 17});
    std::array<std::shared_ptr<const StepCode>, 4> codes;
    std::vector<std::jthread> threads;
    for (auto& code : codes) {
        threads.emplace_back([&] { code = generate_step(program, 8); });
    }
    threads.clear();
    ASSERT_NE(codes[0], nullptr);
    for (const auto& code : codes) {
        EXPECT_EQ(code, codes[0]);
    }
    EXPECT_NE(generate_step(program, 4), codes[0]);
    EXPECT_NE(generate_step(square_root({.max_passes = 18}), 8), codes[0]);
}

TEST(GeneratedStep, that_is_too_large_is_refused_with_a_reason) {
    Random random(3);
    auto program = random.step(2, 0);
    program.end = random.program(program.end.inputs, 3 * most_step_instructions, 4, true);
    // All of it is needed: a sum over everything.
    auto& end = program.end;
    std::uint32_t sum = end.inputs;
    for (std::uint32_t r = end.inputs + 1, last = end.registers; r < last; ++r) {
        end.instructions.push_back({Op::add, end.registers, {sum, r}});
        sum = end.registers++;
    }
    end.outputs[0] = sum;
    std::string why;
    EXPECT_EQ(generate_step(program, 1, &why), nullptr);
    EXPECT_NE(why.find("operations"), std::string::npos) << why;
}

}  // namespace
}  // namespace libration::test
