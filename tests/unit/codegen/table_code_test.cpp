// Tables in generated code: the bits of the tape, in rows of all lengths and in whole steps.
#include "random_program.hpp"

#include "codegen/machine_code.hpp"
#include "expression/tape.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/expression/table.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace libration::test {
namespace {

constexpr std::size_t most_table_rows = 41;

void check_table_rows() {
    ASSERT_TRUE(code_support().available) << code_support().reason;
    Random random(11);
    const auto x = symbol("x"), y = symbol("y");
    for (const auto kind : {Table::Kind::linear, Table::Kind::cubic}) {
        std::vector<Expression> knots, values;
        double knot = -3;
        for (int k = 0; k < 100; ++k) {
            knots.emplace_back(knot += random.uniform(0.01, 0.1));
            values.emplace_back(random.uniform(-1, 1));
        }
        const Table table("random", knots, values, kind);
        const auto f = interp(table, x * y) + y * interp(table, x + y, 1);
        const std::array outputs{f, derivative(f, x), interp(table, x, 3)};
        const auto program = compile(outputs, std::array{x, y});
        Tape<double> tape(program, {});
        RowProgram rows{program, {tape.registers().begin(), tape.registers().end()}, {0, most_table_rows}, {}};
        for (std::uint32_t k = 0; k < outputs.size(); ++k) {
            rows.outputs.push_back(static_cast<std::uint32_t>((2 + k) * most_table_rows));
        }
        const auto code = generate_rows(std::array{rows});
        ASSERT_EQ(code.size(), 1U);
        for (int n = 0; n < 200; ++n) {
            const std::size_t count = 1 + random.below(most_table_rows);
            std::vector<double> memory((2 + outputs.size()) * most_table_rows, 0);
            std::generate_n(memory.begin(), 2 * most_table_rows, [&] { return random.value(); });
            const auto given = memory;
            code[0](memory.data(), count);
            for (std::size_t l = 0; l < count; ++l) {
                tape.input(0) = given[l];
                tape.input(1) = given[most_table_rows + l];
                tape.run();
                for (std::size_t k = 0; k < outputs.size(); ++k) {
                    ASSERT_TRUE(same(memory[(2 + k) * most_table_rows + l], tape.output(k)))
                        << n << " " << l << " " << k;
                }
            }
        }
    }
}

TEST(GeneratedTables, have_the_bits_of_the_tape) { check_table_rows(); }

[[noreturn]] void check_tables_in_narrow_registers() {
    setenv("LIBRATION_NARROW_VECTORS", "1", 1);
    check_table_rows();
    std::exit(code_support().vector_lanes == 4 && !testing::Test::HasFailure() ? 0 : 1);
}

TEST(GeneratedTables, have_the_same_bits_in_narrow_registers) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(check_tables_in_narrow_registers(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace libration::test
