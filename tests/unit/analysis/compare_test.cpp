// The list of methods, and what a comparison says where there is nothing to measure.
#include "analysis/compare_plan.hpp"
#include "analysis/compare_reference.hpp"
#include "analysis/interruption.hpp"
#include <libration/analysis/compare.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {

namespace {

using Items = std::vector<std::string>;

TEST(split_methods, separates_at_commas_outside_parentheses_only) {
    EXPECT_EQ(split_methods("rattle"), Items{"rattle"});
    EXPECT_EQ(split_methods("rattle,compose(rattle, kahanli8),lobatto(3)"),
              (Items{"rattle", "compose(rattle, kahanli8)", "lobatto(3)"}));
    EXPECT_EQ(split_methods("compose(constrain(gauss(2)),suzuki4) , rattle"),
              (Items{"compose(constrain(gauss(2)),suzuki4)", "rattle"}));
}

TEST(split_methods, refuses_empty_items) {
    for (const auto* text : {"", " ", "rattle,", ",rattle", "rattle,,lobatto(3)", "rattle, ,lobatto(3)"}) {
        EXPECT_THROW(split_methods(text), InputError) << text;
    }
}

TEST(split_methods, leaves_faults_inside_an_item_to_the_reader_of_methods) {
    EXPECT_EQ(split_methods("compose(rattle, suzuki4"), Items{"compose(rattle, suzuki4"});
    EXPECT_EQ(split_methods("rattle),verlet"), (Items{"rattle)", "verlet"}));
}

TEST(compare, has_the_steps_from_the_largest_to_the_smallest_without_repetition) {
    const auto result =
        compare(Model::load("pendulum"), {.methods = {method("rattle")}, .steps = {0.05, 0.1, 0.05}, .duration = 1});
    ASSERT_EQ(result.rows.size(), 2U);
    EXPECT_EQ(result.rows[0].steps, 10);
    EXPECT_EQ(result.rows[1].steps, 20);
}

TEST(compare, knows_no_multipliers_where_there_are_no_constraints) {
    const auto result = compare(Model::load("kepler"), {.methods = {method("verlet")}, .steps = {0.1}, .duration = 1});
    ASSERT_EQ(result.rows.size(), 1U);
    EXPECT_TRUE(std::isnan(result.rows[0].error_lambda));
    EXPECT_GT(result.rows[0].error(), 0);
    EXPECT_EQ(result.rows[0].error(), std::max(result.rows[0].error_q, result.rows[0].error_p));
}

// A reference is found for them too, and the higher orders pay.
TEST(compare, takes_the_methods_that_know_forces_where_there_are_some) {
    const auto model = Model::load("friction-pendulum");
    const auto properties = make_system<double>(model)->properties();
    auto methods = default_methods(properties, model.constraint_rows);
    ASSERT_EQ(methods.size(), 3U);
    const auto result = compare(model, {.methods = std::move(methods), .steps = {0.1}, .duration = 1});
    ASSERT_EQ(result.rows.size(), 3U);
    EXPECT_LT(result.rows[1].error(), result.rows[0].error() / 30);
    EXPECT_LT(result.rows[2].error(), result.rows[1].error() / 30);
}

// Separations of two runs at 200 times up to `end`, from a function of the time.
template <class Function>
Horizon horizon_until(double end, Function separation) {
    std::vector<double> t, s;
    for (int k = 1; k <= 200; ++k) {
        t.push_back(end * k / 200);
        s.push_back(separation(t.back()));
    }
    return horizon_of(t, s);
}

TEST(horizon, of_a_chaotic_motion_is_where_round_off_has_become_as_large_as_it) {
    // exp(0.5 t) of 1e-16 is 1e-3 at t = 59.9 and 1e-12 at t = 18.4; 25 % of 59.9 is less than that.
    const auto found = horizon_until(100, [](double t) { return std::min(1.0, 1e-16 * std::exp(0.5 * t)); });
    EXPECT_TRUE(found.chaotic);
    ASSERT_TRUE(found.lost);
    EXPECT_NEAR(*found.lost, 59.9, 0.5);
    EXPECT_NEAR(0.5 * static_cast<double>(found.row + 1), 18.4, 0.5);
}

TEST(horizon, of_errors_that_grow_like_a_power_of_t_does_not_exist) {
    for (const double power : {0.0, 1.0, 2.0, 3.0}) {
        const auto found = horizon_until(100, [&](double t) { return 1e-9 * std::pow(t, power); });
        EXPECT_FALSE(found.chaotic) << power;
        EXPECT_FALSE(found.lost);
        EXPECT_EQ(found.row, 199U);
    }
}

// A method of high order loses it at a kink, but the motion goes on as before.
TEST(horizon, of_errors_that_jump_at_an_event_does_not_exist) {
    for (const double at : {0.3, 0.5, 0.8}) {
        EXPECT_FALSE(horizon_until(100, [&](double t) { return t < 100 * at ? 1e-14 : 1e-5; }).chaotic) << at;
    }
}

TEST(horizon, of_a_motion_that_is_known_to_the_end_is_the_end) {
    const auto found = horizon_until(30, [](double t) { return 1e-16 * std::exp(0.25 * t); });
    EXPECT_FALSE(found.lost);
    EXPECT_EQ(found.row, 199U);
}

TEST(compare_plan, counts_work_so_that_a_longer_run_is_more_of_it) {
    const auto model = Model::load("double-pendulum");
    const auto system = make_system<double>(model);
    const RunCost cost(*system);
    const auto rattle = method("rattle"), lobatto = method("lobatto(3)");
    const auto plan =
        compare_plan(model, cost, {.methods = {rattle, lobatto}, .steps = {0.1, 0.05}, .duration = 10}, lobatto);
    EXPECT_EQ(plan.duration, 10);
    EXPECT_FALSE(plan.shortened_from);
    EXPECT_EQ(plan.steps, (std::vector<std::int64_t>{100, 200}));
    EXPECT_EQ(plan.common_parts(), 100);
    ASSERT_EQ(plan.operations.size(), 2U);
    EXPECT_DOUBLE_EQ(plan.operations[0][1], 2 * plan.operations[0][0]);
    EXPECT_GT(plan.operations[1][0], 4 * plan.operations[0][0]);  // of a dozen stages, with their iterations
}

// A thousand times the duration is not a thousand times the work.
TEST(compare_plan, fits_the_duration_of_the_model_into_the_work) {
    auto model = Model::load("double-pendulum");
    const auto system = make_system<double>(model);
    const RunCost cost(*system);
    const CompareOptions options{.methods = {method("lobatto(3)")}};
    model.run.duration = 10;
    const auto whole = compare_plan(model, cost, options, options.methods[0]);
    EXPECT_EQ(whole.duration, 10);
    EXPECT_FALSE(whole.shortened_from);
    model.run.duration = 1e6;
    const auto shorter = compare_plan(model, cost, options, options.methods[0]);
    EXPECT_EQ(shorter.shortened_from, 1e6);
    EXPECT_LT(shorter.duration, 1e4);
    EXPECT_GT(shorter.duration, 10);
    EXPECT_EQ(compare_plan(model, cost, options, options.methods[0]).duration, shorter.duration);
    auto obeyed = options;
    obeyed.duration = 1e6;
    EXPECT_EQ(compare_plan(model, cost, obeyed, options.methods[0]).duration, 1e6);
}

TEST(compare_plan, shortens_to_a_multiple_of_all_steps) {
    auto model = Model::load("double-pendulum");
    const auto system = make_system<double>(model);
    const RunCost cost(*system);
    model.run.duration = 1e6;
    const auto plan =
        compare_plan(model, cost, {.methods = {method("lobatto(3)")}, .steps = {0.03, 0.02}}, method("lobatto(8)"));
    EXPECT_TRUE(plan.shortened_from);
    EXPECT_NEAR(static_cast<double>(plan.steps[0]) * 0.03, plan.duration, 1e-9 * plan.duration);
    EXPECT_NEAR(static_cast<double>(plan.steps[1]) * 0.02, plan.duration, 1e-9 * plan.duration);
}

TEST(compare, tells_its_progress_run_by_run) {
    std::vector<CompareProgress> seen;
    compare(Model::load("pendulum"), {.methods = {method("rattle")},
                                      .steps = {0.1, 0.05},
                                      .duration = 5,
                                      .progress = [&](const CompareProgress& now) { seen.push_back(now); }});
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen.front().running, "reference");
    for (std::size_t k = 1; k < seen.size(); ++k) {
        EXPECT_GE(seen[k].fraction, seen[k - 1].fraction);
        EXPECT_GE(seen[k].done, seen[k - 1].done);
    }
    EXPECT_EQ(seen.back().done, 3U);
    EXPECT_EQ(seen.back().total, 3U);
    EXPECT_DOUBLE_EQ(seen.back().fraction, 1);
}

TEST(compare, keeps_the_rows_that_there_are_when_it_is_stopped) {
    StopSignal stop;
    const Interruptible watching(stop);
    const auto result = compare(Model::load("pendulum"), {.methods = {method("rattle")},
                                                          .steps = {0.1, 0.05, 0.025},
                                                          .duration = 5,
                                                          .progress = [&](const CompareProgress& now) {
                                                              if (now.done == 2) {
                                                                  stop.request();
                                                              }
                                                          }});
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.rows.size(), 1U);
}

}  // namespace

}  // namespace libration
