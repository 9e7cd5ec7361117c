// Generated rows against the tape: all operations, special values, all lengths of the tail.
#include "random_program.hpp"

#include "codegen/machine_code.hpp"
#include "expression/tape.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace libration::test {
namespace {

constexpr std::size_t stride = 48;

// Rows of inputs, then rows of outputs; the program's parameters and prepared instructions have the values that a tape
// gives them.
struct Kernel {
    RowProgram rows;
    Tape<double> tape;
};

Kernel kernel(Random& random, Program program, std::size_t parameters) {
    std::vector<double> values;
    for (std::size_t k = 0; k < parameters; ++k) {
        values.push_back(random.value());
    }
    Kernel result;
    result.rows.program = Random::prepared(std::move(program), parameters);
    result.tape = Tape<double>(result.rows.program, values);
    for (std::size_t r = 0; r < result.rows.program.registers; ++r) {
        result.rows.registers.push_back(result.tape.register_value(r));
    }
    std::uint32_t offset = 0;
    for (auto* list : {&result.rows.inputs, &result.rows.outputs}) {
        const std::size_t count =
            list == &result.rows.inputs ? result.rows.program.inputs : result.rows.program.outputs.size();
        for (std::size_t k = 0; k < count; ++k, offset += stride) {
            list->push_back(offset);
        }
    }
    return result;
}

// The number of values that differ.
int differences(Random& random, Kernel& k, RowCode code, std::size_t count) {
    constexpr double untouched = 12345;
    std::vector<double> rows((k.rows.inputs.size() + k.rows.outputs.size()) * stride, untouched);
    for (const auto offset : k.rows.inputs) {
        for (std::size_t l = 0; l < count; ++l) {
            rows[offset + l] = random.value();
        }
    }
    const auto before = rows;
    code(rows.data(), count);
    int wrong = 0;
    for (std::size_t l = 0; l < stride; ++l) {
        for (std::size_t i = 0; i < k.rows.inputs.size(); ++i) {
            k.tape.input(i) = before[k.rows.inputs[i] + l];
        }
        k.tape.run();
        for (std::size_t i = 0; i < k.rows.outputs.size(); ++i) {
            const double want = l < count ? k.tape.output(i) : untouched;
            wrong += same(rows[k.rows.outputs[i] + l], want) ? 0 : 1;
        }
    }
    return wrong;
}

TEST(GeneratedRows, have_the_bits_of_the_tape) {
    ASSERT_TRUE(code_support().available) << code_support().reason;
    Random random(20240817);
    for (int batch = 0; batch < 10; ++batch) {
        std::vector<Kernel> kernels;
        std::vector<RowProgram> programs;
        for (int n = 0; n < 40; ++n) {
            kernels.push_back(kernel(random, random.program(5, 5 + random.below(50), 4, n % 2 == 0), random.below(3)));
            programs.push_back(kernels.back().rows);
        }
        std::string why;
        const auto codes = generate_rows(programs, &why);
        ASSERT_EQ(codes.size(), programs.size()) << why;
        for (std::size_t n = 0; n < codes.size(); ++n) {
            for (const std::size_t count :
                 {std::size_t{1}, 2 + random.below(6), std::size_t{8}, 9 + random.below(39)}) {
                ASSERT_EQ(differences(random, kernels[n], codes[n], count), 0)
                    << "batch " << batch << " program " << n << " count " << count;
            }
        }
    }
}

// SLEEF's functions of one double, in the tail, and of as many as a register holds.
void check_elementary_functions() {
    ASSERT_TRUE(code_support().available) << code_support().reason;
    Random random(7);
    for (int number = 2; number < static_cast<int>(Op::mad); ++number) {
        const auto op = static_cast<Op>(number);
        Program program;
        program.inputs = 2;
        program.registers = 3;
        program.instructions.push_back({op, 2, {0, 1, 0}});
        program.outputs = {2};
        auto k = kernel(random, program, 0);
        const auto code = generate_rows(std::array{k.rows});
        ASSERT_EQ(code.size(), 1U);
        for (int n = 0; n < 400; ++n) {
            ASSERT_EQ(differences(random, k, code[0], 41), 0) << name(op);
        }
    }
}

TEST(GeneratedRows, elementary_functions_have_the_bits_of_the_tape) { check_elementary_functions(); }

// As on a machine without AVX-512: a process of its own, because support is looked up once.
[[noreturn]] void check_in_narrow_registers() {
    setenv("LIBRATION_NARROW_VECTORS", "1", 1);
    check_elementary_functions();
    std::exit(code_support().vector_lanes == 4 && !testing::Test::HasFailure() ? 0 : 1);
}

TEST(GeneratedRows, elementary_functions_have_the_same_bits_in_narrow_registers) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(check_in_narrow_registers(), testing::ExitedWithCode(0), "");
}

// One operation with all choices of the numbers that a simplification could look for.
Program with_special_numbers(Op op) {
    Program program;
    program.inputs = 1;
    program.registers = 1;
    const auto append = [&](Op what, std::array<std::uint32_t, 3> arguments) {
        program.instructions.push_back({what, program.registers, arguments});
        return program.registers++;
    };
    std::vector<std::uint32_t> numbers{0};  // x itself is one of them
    for (const auto* text : {"0", "1", "-1", "1/4"}) {
        numbers.push_back(append(Op::constant, {static_cast<std::uint32_t>(program.constants.size())}));
        program.constants.emplace_back(text);
    }
    numbers.push_back(append(Op::negate, {numbers[1]}));  // -0
    numbers.push_back(append(Op::negate, {0}));           // -x
    const auto choices = [&](int argument) { return arity(op) > argument ? numbers : std::vector<std::uint32_t>{0}; };
    for (const auto a : choices(0)) {
        for (const auto b : choices(1)) {
            for (const auto c : choices(2)) {
                program.outputs.push_back(append(op, {a, b, c}));
            }
        }
    }
    return program;
}

TEST(GeneratedRows, simplifications_change_no_bit) {
    Random random(8);
    std::vector<Kernel> kernels;
    std::vector<RowProgram> programs;
    for (int number = 2; number <= static_cast<int>(Op::mad); ++number) {
        kernels.push_back(kernel(random, with_special_numbers(static_cast<Op>(number)), 0));
        programs.push_back(kernels.back().rows);
    }
    std::string why;
    const auto codes = generate_rows(programs, &why);
    ASSERT_EQ(codes.size(), programs.size()) << why;
    for (std::size_t k = 0; k < codes.size(); ++k) {
        for (int n = 0; n < 20; ++n) {
            ASSERT_EQ(differences(random, kernels[k], codes[k], stride), 0) << name(static_cast<Op>(k + 2));
        }
    }
}

TEST(GeneratedRows, that_are_too_large_are_refused_with_a_reason) {
    Random random(4);
    auto program = random.program(3, 4 * most_row_instructions, 1, true);
    for (std::uint32_t r = program.inputs; r < program.registers; ++r) {
        program.outputs.push_back(r);
    }
    std::string why;
    EXPECT_TRUE(generate_rows(std::array{kernel(random, program, 0).rows}, &why).empty());
    EXPECT_NE(why.find("operations"), std::string::npos) << why;
}

TEST(GeneratedRows, equal_programs_share_their_code) {
    Random random(5);
    const auto a = kernel(random, random.program(4, 20, 2, true), 0).rows;
    const auto b = kernel(random, random.program(4, 20, 2, true), 0).rows;
    const auto first = generate_rows(std::array{a, b, a});
    ASSERT_EQ(first.size(), 3U);
    EXPECT_EQ(first[0], first[2]);
    EXPECT_NE(first[0], first[1]);
    EXPECT_EQ(generate_rows(std::array{b})[0], first[1]);
}

}  // namespace
}  // namespace libration::test
