// The list of methods, and what a comparison says where there is nothing to measure.
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

}  // namespace

}  // namespace libration
