// Runs that lead to where a mass matrix is not positive definite.
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/builder.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

// T = (v_x^2 + (1 - x) v_y^2)/2 with v = (1, 0): x = t, y rests, and M loses its sign at x = t = 1.
Model fading() {
    ModelBuilder builder("fading");
    const auto q = builder.coordinates({"x", "y"});
    const auto v = builder.velocities();
    builder.kinetic((v[0] * v[0] + (1 - q[0]) * v[1] * v[1]) / 2);
    builder.initial_position({0, 0.25}).initial_velocity({1, 0});
    return builder.build();
}

void expect_mass_failure(const Run& run, const std::string& words) {
    ASSERT_EQ(run.status, RunStatus::failed);
    EXPECT_EQ(run.failure->kind, "mass") << run.failure->message;
    EXPECT_EQ(run.failure->step, run.steps + 1);
    EXPECT_NE(run.failure->message.find("not positive definite at t = "), std::string::npos) << run.failure->message;
    EXPECT_NE(run.failure->message.find(words), std::string::npos) << run.failure->message;
    EXPECT_LT(run.q[0], 1);  // the last good state
    EXPECT_TRUE(std::isfinite(run.energy.final));
}

TEST(MassWatch, a_mass_that_becomes_negative_is_named_with_the_state) {
    for (const auto* spec : {"rattle", "lobatto(3)", "gauss(2)", "symplectic-euler"}) {
        for (const std::int64_t monitor : {0, 1}) {
            const auto run = integrate(fading(), method(spec), {.step = 0.375, .steps = 10, .monitor = monitor});
            SCOPED_TRACE(spec);
            // x = n 3/8 stays below 1 up to n = 2
            expect_mass_failure(run, "not positive definite at t = 1.125: x = 1.125 (detected at coordinate y)");
            EXPECT_EQ(run.steps, 2);
        }
    }
}

// x = n/8 meets 1 exactly, where M^-1 p is 0/0.
TEST(MassWatch, a_mass_that_vanishes_is_named_although_the_step_ends_in_no_number) {
    const auto run = integrate(fading(), method("rattle"), {.step = 0.125, .steps = 20});
    expect_mass_failure(run, "not positive definite at t = 1: x = 1 (detected at coordinate y)");
    EXPECT_EQ(run.steps, 7);
}

TEST(MassWatch, other_failures_keep_their_names) {
    ModelBuilder builder("wall");
    const auto q = builder.coordinates({"x"});
    const auto v = builder.velocities();
    builder.kinetic((1 + q[0] * q[0]) * v[0] * v[0] / 2).potential(q[0] + sqrt(q[0]));
    builder.initial_position({1}).initial_velocity({0});
    const auto run = integrate(builder.build(), method("rattle"), {.step = 0.1, .steps = 1000});
    ASSERT_EQ(run.status, RunStatus::failed);
    EXPECT_NE(run.failure->kind, "mass") << run.failure->message;
}

TEST(MassWatch, pivots_are_those_of_the_mass_at_the_given_position) {
    const auto model = fading();
    const auto system = make_system<double>(model);
    std::vector<double> pivots(2);
    ASSERT_TRUE(system->mass_pivots(0, std::vector{0.5, 0.0}, pivots));
    EXPECT_EQ(pivots, (std::vector{1.0, 1.0}));
    ASSERT_TRUE(system->mass_pivots(0, std::vector{3.0, 0.0}, pivots));
    EXPECT_EQ(pivots, (std::vector{1.0, -1.0}));
    const auto constant = Model::load("pendulum");
    EXPECT_FALSE(make_system<double>(constant)->mass_pivots(0, std::vector{1.0, 0.0}, pivots));
}

// M = diag(1, t - 1) is positive at the start of the run only if that is late enough.
TEST(MassWatch, a_start_at_another_time_is_looked_at_too) {
    ModelBuilder builder("late");
    builder.coordinates({"x", "y"});
    const auto v = builder.velocities();
    builder.kinetic((v[0] * v[0] + (1 - symbol("t")) * v[1] * v[1]) / 2).initial_position({0, 0});
    const auto model = builder.build();
    EXPECT_THROW(integrate(model, method("gauss(2)"), {.step = 0.1, .steps = 1, .start_time = 2}), InputError);
    EXPECT_EQ(integrate(model, method("gauss(2)"), {.step = 0.1, .steps = 1}).status, RunStatus::completed);
}

}  // namespace
}  // namespace libration
