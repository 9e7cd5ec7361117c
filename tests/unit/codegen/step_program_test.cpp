// A recorded step as data: what is computed once a trajectory and what once a step.
#include "random_program.hpp"

#include "codegen/traced_program.hpp"

#include <gtest/gtest.h>

namespace libration::test {
namespace {

TEST(StepProgram, computes_what_depends_on_parameters_alone_beforehand) {
    TraceRecorder recorder;
    const auto m = symbol("m"), k = symbol("k"), x = symbol("x");
    const Traced tm{m}, tk{k}, tx{x};
    const Traced frequency = sqrt(tk / tm);
    const auto program = step_program(recorder.loops(), std::array{m, k}, std::array{x},
                                      std::array{(frequency * tx + tm).expression, (frequency * tk).expression});
    // sqrt(k/m), m, and the output that is one constant altogether.
    EXPECT_EQ(program.constants(), 3U);
    EXPECT_EQ(program.memory, 1U);
    EXPECT_EQ(program.end.instructions.size(), 2U);
    EXPECT_EQ(program.instructions(), 2U);
    TracedProgram run(program, std::array{2.0, 6.0});
    std::array<double, 2> out{};
    run.run(std::array{0.7}, out);
    EXPECT_EQ(out[0], std::sqrt(6.0 / 2.0) * 0.7 + 2.0);
    EXPECT_EQ(out[1], std::sqrt(6.0 / 2.0) * 6.0);
}

TEST(StepProgram, knows_parameters_inside_loops) {
    TraceRecorder recorder;
    const auto m = symbol("m"), x = symbol("x");
    const Traced tm{m};
    std::vector<Traced> root{{x}}, correction{{x}};
    iterate({}, std::span<Traced>(root), std::span<Traced>(correction),
            [&](std::span<const Traced> r, std::span<Traced> dr) {
                dr[0] = (exp(tm) - r[0] * r[0]) / (lit<Traced>(2) * r[0]);
                return floors(dr[0], epsilon<Traced>());
            });
    const auto program = step_program(recorder.loops(), std::array{m}, std::array{x}, std::array{root[0].expression});
    EXPECT_EQ(program.constants(), 1U);
    for (const auto& i : program.loops[0].body.instructions) {
        EXPECT_NE(i.op, Op::exp);
    }
    TracedProgram run(program, std::array{1.5});
    std::array<double, 1> out{};
    run.run(std::array{2.0}, out);
    EXPECT_NEAR(out[0], std::exp(0.75), 1e-15);
}

TEST(StepProgram, is_refused_if_a_value_has_leaked_out_of_a_loop) {
    TraceRecorder recorder;
    const auto x = symbol("x");
    std::vector<Traced> root{{x}}, correction{{x}};
    Traced leak{x};
    iterate({}, std::span<Traced>(root), std::span<Traced>(correction),
            [&](std::span<const Traced> r, std::span<Traced> dr) {
                leak = r[0] + r[0];
                dr[0] = -r[0];
                return absv(r[0]);
            });
    EXPECT_THROW(step_program(recorder.loops(), {}, std::array{x}, std::array{leak.expression}), InputError);
    EXPECT_NO_THROW(step_program(recorder.loops(), {}, std::array{x}, std::array{root[0].expression}));
}

}  // namespace
}  // namespace libration::test
