// Sections and portraits of recorded runs.
#include "recorded.hpp"

#include "analysis/poincare.hpp"
#include "analysis/portrait.hpp"
#include <libration/analysis/analysis.hpp>
#include <libration/integrate/events.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {

namespace {

TEST(poincare, has_the_states_of_a_run_with_the_event) {
    const auto model = Model::load("henon-heiles");
    IntegrationOptions options{.step = 0.2, .duration = 500, .every = 7};
    const auto trajectory = recorded(model, "compose(verlet, kahanli8)", options);
    const auto section = poincare_section(trajectory, "x rising", {"y", "p_y", "x", "energy"});
    options.events = {read_event(model, "x rising", 1)};
    EventRecorder recorder;
    integrate(model, method("compose(verlet, kahanli8)"), options, recorder);
    ASSERT_GT(recorder.states.size(), 50U);
    ASSERT_EQ(section.t.size(), recorder.states.size());
    for (std::size_t k = 0; k < section.t.size(); ++k) {
        EXPECT_EQ(section.t[k], recorder.states[k].t);
        EXPECT_EQ(section.values[0][k], recorder.states[k].q[1]);
        EXPECT_EQ(section.values[1][k], recorder.states[k].p[1]);
    }
    EXPECT_EQ(section.difference, 0);
    EXPECT_LT(section.section, 1e-15);
    EXPECT_LT(section.energy_spread, 1e-9);
    const auto result = analyse(trajectory, "poincare", {{"event", "x rising"}});
    EXPECT_EQ(number(result, "crossings"), static_cast<double>(section.t.size()));
    ASSERT_EQ(result.figures.size(), 1U);
    EXPECT_EQ(result.figures[0].x.label, "y");  // the event uses x
    EXPECT_EQ(result.figures[0].series[0].y, section.values[1]);
}

TEST(poincare, lies_on_the_manifold_of_constraints) {
    const auto trajectory = recorded(Model::load("double-pendulum"), "lobatto(3)", {.step = 0.1, .duration = 60});
    const auto section = poincare_section(trajectory, "hanging: x1 rising", {"angle2"});
    EXPECT_GT(section.t.size(), 5U);
    EXPECT_LT(section.section, 1e-15);
    EXPECT_LT(section.constraint, 1e-14);
    EXPECT_LT(section.hidden, 1e-14);
    EXPECT_EQ(section.difference, 0);
}

// The pendulum of the angle pi/2 has the period 4 K(1/sqrt(2)).
TEST(poincare, knows_the_time_between_crossings) {
    const auto trajectory =
        recorded(Model::load("pendulum-angle"), "gauss(3)", {.step = 0.05, .duration = 40, .every = 1000});
    const auto result = analyse(trajectory, "poincare", {{"event", "q rising"}, {"x", "t"}, {"y", "p_q"}});
    EXPECT_NEAR(number(result, "interval"), 7.416298709205488, 1e-9);
    EXPECT_LT(number(result, "interval_deviation"), 1e-9);
}

TEST(poincare, sees_that_a_run_is_not_the_recorded_one) {
    auto trajectory = recorded(Model::load("henon-heiles"), "verlet", {.step = 0.1, .duration = 20});
    trajectory.q[100][1] += 1e-6;
    const auto result = analyse(trajectory, "poincare", {{"event", "x"}});
    EXPECT_NEAR(number(result, "difference"), 1e-6, 1e-12);
    EXPECT_EQ(result.warnings.size(), 1U);
}

// Runge's method explodes on this lattice at t = 14.2: the run fails, and so does the repeated one.
TEST(poincare, says_when_the_repeated_run_fails) {
    IntegrationOptions options{.step = 0.1, .duration = 50};
    for (int k = 0; k <= 100; ++k) {
        options.at.push_back(0.5 * k);
    }
    const auto trajectory = recorded(Model::load("toda"), "runge2", options);
    ASSERT_LT(trajectory.t.back(), 20);
    const auto result = analyse(trajectory, "poincare", {{"event", "q1 - q2"}, {"x", "q1"}, {"y", "q3"}});
    ASSERT_GT(number(result, "crossings"), 0);
    ASSERT_FALSE(result.warnings.empty());
    EXPECT_NE(result.warnings[0].find("failed"), std::string::npos) << result.warnings[0];
}

TEST(poincare, says_why_there_is_nothing_or_what_is_wrong) {
    const auto trajectory = recorded(Model::load("henon-heiles"), "verlet", {.step = 0.1, .duration = 20});
    const auto result = analyse(trajectory, "poincare", {{"event", "x - 10"}});
    EXPECT_NE(result.verdict.find("never occurred"), std::string::npos);
    EXPECT_EQ(number(result, "crossings"), 0);
    EXPECT_THROW(analyse(trajectory, "poincare"), InputError);
    EXPECT_THROW(analyse(trajectory, "poincare", {{"event", "z"}}), InputError);
    EXPECT_THROW(analyse(trajectory, "poincare", {{"event", "x + y"}}), InputError);  // nothing is left to draw
    EXPECT_THROW(analyse(trajectory, "poincare", {{"event", "x"}, {"x", "y"}}), InputError);
    EXPECT_THROW(analyse(trajectory, "poincare", {{"event", "x"}, {"x", "y"}, {"y", "w"}}), InputError);
}

TEST(portrait, has_the_recorded_values) {
    const auto trajectory = recorded(Model::load("double-pendulum"), "rattle", {.step = 0.1, .duration = 5});
    const auto one = portrait(trajectory, "angle1", "2*p_x2");
    ASSERT_EQ(one.x.size(), 51U);
    EXPECT_NEAR(one.x[7], std::atan2(trajectory.q[7][0], -trajectory.q[7][1]), 1e-15);
    EXPECT_EQ(one.y[7], 2 * trajectory.p[7][2]);
    const auto all = analyse(trajectory, "portrait");
    ASSERT_EQ(all.figures.size(), 4U);
    EXPECT_EQ(all.figures[2].x.label, "x2");
    EXPECT_EQ(all.figures[2].y.label, "p_x2");
    EXPECT_FALSE(all.figures[2].equal);
    EXPECT_TRUE(analyse(trajectory, "portrait", {{"x", "x2"}, {"y", "y2"}}).figures[0].equal);
    EXPECT_THROW(analyse(trajectory, "portrait", {{"x", "x2"}}), InputError);
    EXPECT_THROW(analyse(trajectory, "portrait", {{"x", "x2"}, {"y", "x9"}}), InputError);
}

TEST(portrait, joins_states_by_lines_only_where_they_are_close) {
    const auto model = Model::load("henon-heiles");
    const auto close = recorded(model, "verlet", {.step = 0.1, .duration = 50});
    EXPECT_EQ(analyse(close, "portrait").figures[0].series[0].style, plot::Style::line);
    const auto sparse = recorded(model, "verlet", {.step = 0.1, .duration = 500, .every = 20});
    EXPECT_EQ(analyse(sparse, "portrait").figures[0].series[0].style, plot::Style::points);
}

TEST(portrait, draws_six_at_most_and_says_so) {
    const auto chain = recorded(Model::load("toda"), "verlet", {.step = 0.1, .duration = 1});
    const auto result = analyse(chain, "portrait");
    EXPECT_EQ(result.figures.size(), std::min<std::size_t>(6, chain.model.dimension));
    const auto flow = recorded(Model::load("abc-flow"), "volume", {.step = 0.1, .duration = 1});
    const auto fields = analyse(flow, "portrait");
    ASSERT_EQ(fields.figures.size(), 2U);
    EXPECT_EQ(fields.figures[1].y.label, "z");
}

}  // namespace

}  // namespace libration
