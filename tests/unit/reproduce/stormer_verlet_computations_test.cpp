// Computations behind the recipes of Hairer, Lubich and Wanner (2003), against closed forms.
#include "computed.hpp"

#include "reproduce/computation.hpp"

#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace libration {
namespace {

TEST(StormerVerletComputations, a_step_is_two_half_steps_of_symplectic_euler) {
    for (const auto* variant : {"A", "B"}) {
        const auto step =
            compute("verlet-step", {{"model", {"reversible-field"}}, {"step", {"1.5"}}, {"variant", {variant}}});
        EXPECT_LT(step.numbers.at("composition")[0], 2e-15) << variant;
        EXPECT_LT(step.numbers.at("reversal")[0], 2e-15) << variant;
        // Each piece of the polygon is parallel to the arrow of the field that it follows, and as long.
        const auto &path = step.curves.at("step"), &arrows = step.curves.at("slopes");
        for (std::size_t k = 0; k < 2; ++k) {
            EXPECT_NEAR(path.x[k + 1] - path.x[k], arrows.x[2 * k + 1] - arrows.x[2 * k], 1e-14);
            EXPECT_NEAR(path.y[k + 1] - path.y[k], arrows.y[2 * k + 1] - arrows.y[2 * k], 1e-14);
        }
    }
    EXPECT_THROW(compute("verlet-step", {{"model", {"reversible-field"}}, {"step", {"1"}}, {"variant", {"C"}}}),
                 InputError);
    EXPECT_THROW(compute("verlet-step", {{"model", {"kepler"}}, {"step", {"1"}}, {"variant", {"A"}}}), InputError);
}

TEST(StormerVerletComputations, symmetric_methods_come_back_and_others_do_not) {
    const auto gap = [](const char* method) {
        return compute("reversal",
                       {{"model", {"reversible-field"}}, {"method", {method}}, {"step", {"0.5"}}, {"steps", {"10"}}})
            .numbers.at("gap")[0];
    };
    EXPECT_LT(gap("verlet"), 1e-14);
    EXPECT_LT(gap("exact"), 1e-13);
    EXPECT_GT(gap("runge2"), 1e-3);
}

TEST(StormerVerletComputations, arrows_of_the_field) {
    const auto field = compute("vector-field", {{"model", {"harmonic-oscillator"}},
                                                {"q", {"-1", "1"}},
                                                {"p", {"-1", "1"}},
                                                {"columns", {"3"}},
                                                {"rows", {"3"}}});
    const auto& arrows = field.curves.at("arrows");
    ASSERT_EQ(arrows.x.size(), 18U);
    for (std::size_t k = 0; k < 18; k += 2) {  // (q', p') = (p, -q), all with one scale
        EXPECT_NEAR(arrows.x[k + 1] - arrows.x[k], arrows.y[k] * 0.95 / std::sqrt(2.0), 1e-14);
        EXPECT_NEAR(arrows.y[k + 1] - arrows.y[k], -arrows.x[k] * 0.95 / std::sqrt(2.0), 1e-14);
    }
}

TEST(StormerVerletComputations, the_matrix_of_a_step) {
    const auto a =
        compute("propagation", {{"method", {"verlet"}}, {"at", {"0.7", "2.2"}}, {"to", {"2.4"}}, {"orbit", {"1"}}});
    EXPECT_NEAR(a.numbers.at("a12")[0], -0.7 * (1 - 0.49 / 4), 1e-15);
    EXPECT_NEAR(a.numbers.at("a21")[0], 0.7, 1e-15);
    EXPECT_NEAR(a.numbers.at("determinant")[0], 1, 1e-15);
    EXPECT_NEAR(a.numbers.at("radius")[0], 1, 1e-15);
    EXPECT_NEAR(a.numbers.at("radius")[1], 1.42 + std::sqrt(1.42 * 1.42 - 1), 1e-14);
    EXPECT_NEAR(a.numbers.at("growth_at_2")[0], 2, 1e-13);
    // What is not symplectic is seen.
    const auto r = compute("propagation", {{"method", {"runge2"}}, {"at", {"0.7"}}, {"to", {"2"}}, {"orbit", {"1"}}});
    EXPECT_NEAR(r.numbers.at("determinant")[0], 1 + std::pow(0.7, 4) / 4, 1e-15);
}

TEST(StormerVerletComputations, coefficients_of_the_modified_equation) {
    const auto series = compute("modified-series", {{"terms", {"20"}}, {"step", {"0.5"}}});
    const auto& b = series.numbers.at("b");
    EXPECT_NEAR(b[0], -1.0 / 12, 1e-17);
    EXPECT_NEAR(b[1], 1.0 / 240, 1e-18);
    EXPECT_NEAR(b[2], -1.0 / 6048, 1e-19);
    EXPECT_NEAR(series.numbers.at("constant").back(), 2, 1e-9);
    // Without any correction the second difference of (1 - t) log(1 - t) is left.
    const double rest = (0.5 * std::log(0.5) + 1.5 * std::log(1.5)) / 0.25 - 1;
    EXPECT_NEAR(series.curves.at("residual_1").y[0], rest, 1e-14);
    EXPECT_THROW(compute("modified-series", {{"terms", {"4"}}, {"step", {"0.5"}}}), InputError);
}

TEST(StormerVerletComputations, both_modified_hamiltonians) {
    for (const auto& [variant, hessian, square] :
         {std::tuple{"A", 1.0 / 12, -1.0 / 24}, std::tuple{"B", -1.0 / 24, 1.0 / 12}}) {
        const auto flow = compute("modified-flow", {{"variant", {variant}},
                                                    {"step", {"0.9"}},
                                                    {"steps", {"100"}},
                                                    {"shown", {"50"}},
                                                    {"q", {"-1.2"}},
                                                    {"p", {"1"}},
                                                    {"levels", {"-1", "-2"}},
                                                    {"small_step", {"0.01"}}});
        EXPECT_NEAR(flow.numbers.at("fitted_hessian")[0], hessian, 1e-4);
        EXPECT_NEAR(flow.numbers.at("fitted_square")[0], square, 1e-4);
        EXPECT_LT(flow.numbers.at("gradient_gap")[0], 1e-15);
        EXPECT_GT(flow.numbers.at("printed_gradient_gap")[0], 0.05);
        EXPECT_NEAR(flow.numbers.at("flow_order")[0], 5, 0.1);
        EXPECT_EQ(flow.curves.at("points_1").x.size(), 10U);
    }
}

// A pendulum that turns over and over never comes round the origin: its curve is open, and is not closed by force.
TEST(StormerVerletComputations, only_closed_orbits_are_closed) {
    const auto ends_where_it_began = [](const char* p) {
        const auto flow = compute("modified-flow", {{"variant", {"A"}},
                                                    {"step", {"0.1"}},
                                                    {"steps", {"10"}},
                                                    {"shown", {"10"}},
                                                    {"q", {"-1.2"}},
                                                    {"p", {p}},
                                                    {"levels", {}},
                                                    {"small_step", {"0.01"}}});
        const auto& orbit = flow.curves.at("orbit");
        return orbit.x.front() == orbit.x.back() && orbit.y.front() == orbit.y.back();
    };
    EXPECT_TRUE(ends_where_it_began("1"));
    EXPECT_FALSE(ends_where_it_began("3"));
}

TEST(StormerVerletComputations, the_sphere_seen_from_a_side) {
    const auto frame = compute("sphere", {{"azimuth", {"0"}},
                                          {"elevation", {"0"}},
                                          {"meridians", {"8"}},
                                          {"parallels", {"5"}},
                                          {"point", {"0.6", "0.48", "0.64", "-0.6", "0", "0.8"}}});
    const auto& points = frame.curves.at("points");
    EXPECT_NEAR(points.x[0], 0.48, 1e-15);  // from the x axis: y to the right, z upwards
    EXPECT_NEAR(points.y[0], 0.64, 1e-15);
    EXPECT_NEAR(frame.numbers.at("depth")[0], 0.6, 1e-15);
    EXPECT_NEAR(frame.numbers.at("depth")[1], -0.6, 1e-15);
    for (const auto* side : {"front", "back"}) {
        const auto& curve = frame.curves.at(side);
        for (std::size_t k = 0; k < curve.x.size(); ++k) {
            EXPECT_FALSE(std::hypot(curve.x[k], curve.y[k]) > 1 + 1e-12);
        }
    }
}

// E = a t + b t^2: the share of the square at the end is 2 (E(T) - 2 E(T/2))/E(T).
TEST(StormerVerletComputations, global_errors_grow_linearly_and_quadratically) {
    const auto e = compute(
        "global-error",
        {{"model", {"toda"}}, {"methods", {"verlet", "runge2"}}, {"step", {"0.05", "0.02"}}, {"duration", {"50"}}});
    const auto share = [&](const std::string& k) {
        const double half = e.numbers.at("half_" + k)[0], whole = e.numbers.at("largest_" + k)[0];
        return 2 * (whole - 2 * half) / whole;
    };
    EXPECT_NEAR(share("1"), 0, 0.05);
    EXPECT_GT(share("2"), 0.7);
    EXPECT_NEAR(e.numbers.at("exponent_1")[0], 1, 0.1);
    EXPECT_NEAR(e.numbers.at("ended_2")[0], 50, 1e-9);
    EXPECT_EQ(e.curves.at("error_1").x.size(), 1001U);
}

}  // namespace
}  // namespace libration
