// Which rows are left out, the search for the manifold with dependent rows, and reactions of least norm.
#include "manifold/independent_rows.hpp"
#include "manifold/least_norm.hpp"
#include "manifold/least_squares.hpp"

#include "model/carried.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/model/builder.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace libration {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// Rows a_i x + b_i y = 0.
Model rows_in_the_plane(const std::vector<std::pair<double, double>>& rows, const std::vector<Expression>& masses) {
    ModelBuilder builder("rows");
    const auto q = builder.coordinates({"x", "y"});
    builder.mass(masses);
    for (const auto& [a, b] : rows) {
        builder.constraint(a * q[0] + b * q[1]);
    }
    return builder.initial_position({0, 0}).build();
}

RowChoice choice_of(const Model& model) {
    const auto system = make_system<double>(model);
    return independent_rows(*system, 0, std::vector<double>(model.dimension));
}

using Rows = std::vector<std::size_t>;

TEST(IndependentRows, of_rows_that_depend_on_each_other_the_best_conditioned_stay) {
    // The last two are almost the same direction: together they would be an independent set with a sine of 1e-3.
    const auto choice = choice_of(rows_in_the_plane({{0, 1}, {1, 0}, {1, 1e-3}}, {1, 1}));
    EXPECT_EQ(choice.rows, (Rows{0, 1}));
    EXPECT_EQ(choice.left_out, (Rows{2}));
    EXPECT_EQ(choice_of(rows_in_the_plane({{1, 0}, {1, 1e-3}, {0, 1}}, {1, 1})).left_out, (Rows{1}));
}

TEST(IndependentRows, do_not_depend_on_the_scale_of_rows) {
    EXPECT_EQ(choice_of(rows_in_the_plane({{0, 1e-6}, {1e-6, 0}, {1e6, 1e3}}, {1, 1})).left_out, (Rows{2}));
}

TEST(IndependentRows, are_measured_with_the_masses) {
    // With a mass of 1e4 for x, the rows of G M^-1/2 are (0.01, 1), (0.01, -1), (0.01, 0): two are almost the same.
    EXPECT_EQ(choice_of(rows_in_the_plane({{1, 1}, {1, -1}, {1, 0}}, {1, 1})).left_out, (Rows{2}));
    EXPECT_EQ(choice_of(rows_in_the_plane({{1, 1}, {1, -1}, {1, 0}}, {1e4, 1})).left_out, (Rows{1}));
}

TEST(IndependentRows, leave_out_nothing_where_a_gradient_vanishes_or_all_are_independent) {
    EXPECT_TRUE(choice_of(rows_in_the_plane({{1, 0}, {0, 1}}, {1, 1})).left_out.empty());
    ModelBuilder builder("square");
    const auto q = builder.coordinates({"x", "y"});
    builder.mass(1).constraint(q[0]).constraint(q[1] * q[1]).initial_position({0, 0});
    EXPECT_TRUE(choice_of(builder.build()).left_out.empty());
}

TEST(LeastSquares, reach_the_manifold_where_rows_are_dependent_on_it_only) {
    // The third row is dependent where the first two hold, and independent elsewhere.
    ModelBuilder builder("rotor");
    const auto q = builder.coordinates({"x", "y", "z", "w"});
    builder.mass(1).constraint(q[0] * q[0] + q[1] * q[1] - 1).constraint(q[2]).constraint(q[3]);
    builder.constraint(q[0] * q[2] + q[1] * q[3]).initial_position({1, 0, 0, 0});
    const auto system = make_system<double>(builder.build());
    std::vector<double> at{0.9, 0.3, 0.2, -0.1};
    EXPECT_TRUE(least_squares_position(*system, 0, at, {}));
    EXPECT_NEAR(std::hypot(at[0], at[1]), 1, 1e-10);
    EXPECT_NEAR(at[2], 0, 1e-10);
    EXPECT_NEAR(at[3], 0, 1e-10);
}

TEST(LeastSquares, of_rows_that_contradict_each_other_say_so) {
    ModelBuilder builder("two");
    const auto q = builder.coordinates({"x"});
    builder.mass(1).constraint(q[0] - 1).constraint(q[0] - 2).initial_position({1});
    const auto system = make_system<double>(builder.build());
    std::vector<double> at{0.0};
    EXPECT_FALSE(least_squares_position(*system, 0, at, {}));
    EXPECT_NEAR(at[0], 1.5, 1e-6);
}

// A beam on supports at -1, 0, 1 under its weight, and a coordinate of its own, which is held.
struct Beam {
    Model whole, model;
    std::unique_ptr<System<double>> all, some;
    explicit Beam(Rows rows) {
        ModelBuilder builder("beam");
        const auto q = builder.coordinates({"y", "angle", "z"});
        builder.mass(1);
        for (const double at : {-1.0, 0.0, 1.0}) {
            builder.constraint(q[0] + at * q[1]);
        }
        builder.constraint(q[2]).initial_position({0, 0, 0});
        whole = builder.build();
        model = carry(whole, rows);
        all = make_system<double>(whole);
        some = make_system<double>(model);
    }
    [[nodiscard]] LeastNorm at_rest(std::span<const WrenchBlock> blocks = {}) {
        LeastNorm result(*all, *some, model.carried->rows);
        const std::vector<double> zero(3);
        result.set_state(0, zero, zero, blocks);
        return result;
    }
};

TEST(LeastNorm, shares_a_load_equally_between_equal_supports_whatever_rows_are_carried) {
    // The force of each support is its multiplier.
    const std::vector<WrenchBlock> blocks{{{0}, 1, {1}}, {{1}, 1, {1}}, {{2}, 1, {1}}, {{3}, 1, {1}}};
    const std::vector<std::pair<Rows, std::vector<double>>> cases{
        {{0, 2, 3}, {1.5, 0, 1.5, 7}}, {{0, 1, 3}, {0, 3, 0, 7}}, {{1, 2, 3}, {0, 3, 0, 7}}};
    for (auto [rows, lambda] : cases) {
        Beam beam(rows);
        beam.at_rest(blocks).distribute(lambda);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(lambda[i], 1, 64 * eps);
        }
        EXPECT_EQ(lambda[3], 7);
    }
}

TEST(LeastNorm, without_wrenches_weighs_rows_by_their_lengths) {
    // With lengths sqrt(2), 1, sqrt(2), the least of 2 a^2 + b^2 + 2 a^2 with 2 a + b = 3 is at a = 0.75, b = 1.5.
    Beam beam({0, 2, 3});
    std::vector<double> lambda{1.5, 0, 1.5, 7};
    beam.at_rest().distribute(lambda);
    EXPECT_NEAR(lambda[0], 0.75, 64 * eps);
    EXPECT_NEAR(lambda[1], 1.5, 64 * eps);
    EXPECT_NEAR(lambda[2], 0.75, 64 * eps);
}

TEST(LeastNorm, knows_what_the_mechanism_determines) {
    Beam beam({0, 2, 3});
    EXPECT_EQ(beam.at_rest().determined(), (std::vector<bool>{false, false, false, true}));
    // One bearing that takes all three: its force and its torque are determined, the force of the first row is not. The
    // row outside has a component of its own.
    const std::vector<WrenchBlock> blocks{{{0, 1, 2}, 3, {1, 1, 1, -1, 0, 1, 1, 0, 0}}};
    EXPECT_EQ(beam.at_rest(blocks).determined_components(), (std::vector<bool>{true, true, false, true}));
}

}  // namespace
}  // namespace libration
