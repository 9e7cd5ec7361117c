// Error growth: powers of t that are known, and the Toda lattice of Hairer, Lubich and Wanner (2003).
#include "recorded.hpp"

#include "analysis/error_growth.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {

namespace {

template <class F>
GrowthFit growth_of(F f, double size = 1e9) {
    std::vector<double> t, error;
    for (int i = 0; i <= 1000; ++i) {
        t.push_back(0.05 * i);
        error.push_back(std::abs(f(t.back())));
    }
    return classify_growth(t, error, size);
}

// An oscillating factor changes the envelope by steps of one period, a fiftieth of the time; over a factor 4 of t that
// is some 0.1 in the exponent.
TEST(error_growth, knows_powers_of_t_below_an_oscillation) {
    const auto linear = growth_of([](double t) { return 0.1 + 3 * t * std::sin(7 * t); });
    EXPECT_EQ(linear.kind, GrowthKind::linear);
    EXPECT_NEAR(linear.exponent, 1, 0.1);
    EXPECT_NEAR(growth_of([](double t) { return 3 * t + 0.02 * t * t; }).share, 0.25,
                1e-10);  // 50 against 150 at t = 50
    EXPECT_NEAR(std::log(linear.factor), std::log(3), 0.3);
    const auto quadratic = growth_of([](double t) { return t + 2 * t * t * std::cos(7 * t); });
    EXPECT_EQ(quadratic.kind, GrowthKind::quadratic);
    EXPECT_NEAR(quadratic.exponent, 2, 0.1);
    EXPECT_EQ(growth_of([](double t) { return t * t * t; }).kind, GrowthKind::power);
    EXPECT_EQ(growth_of([](double t) { return std::sin(t); }).kind, GrowthKind::bounded);
    EXPECT_EQ(growth_of([](double) { return 0.0; }).kind, GrowthKind::bounded);
}

TEST(error_growth, knows_exponentials_and_saturation) {
    const auto exponential = growth_of([](double t) { return 1e-9 * std::exp(0.3 * t) * (1 + 0.5 * std::sin(5 * t)); });
    EXPECT_EQ(exponential.kind, GrowthKind::exponential);
    EXPECT_NEAR(exponential.rate, 0.3, 0.01);
    EXPECT_EQ(growth_of([](double t) { return std::min(t, 10.0); }, 10).kind, GrowthKind::saturated);
    EXPECT_EQ(growth_of([](double t) { return t < 40 ? t : 1e6; }, 50).kind, GrowthKind::exponential);
}

// [HLW03 Fig. 5.3] Largest errors on [0, 12.5], [0, 25], [0, 50] are known to two or three digits.
TEST(error_growth, of_verlet_on_the_toda_lattice_is_linear) {
    struct Known {
        double h, quarter, half, all;
    };
    for (const auto& known : {Known{0.1, 0.60, 1.24, 2.50}, Known{0.05, 0.157, 0.328, 0.655}}) {
        const auto result = analyse(recorded("toda", "verlet", {.step = known.h, .duration = 50}), "error-growth");
        const double digits = known.h == 0.1 ? 0.005 : 0.0005;
        EXPECT_NEAR(number(result, "largest_quarter"), known.quarter, digits);
        EXPECT_NEAR(number(result, "largest_half"), known.half, digits);
        EXPECT_NEAR(number(result, "largest"), known.all, digits);
        EXPECT_EQ(number(result, "kind"), static_cast<double>(GrowthKind::linear)) << result.verdict;
        EXPECT_NEAR(number(result, "exponent"), 1, 0.1);
        EXPECT_LT(number(result, "accuracy"), 1e-8);
        EXPECT_EQ(number(result, "known_until"), 50);
        EXPECT_TRUE(result.warnings.empty());
    }
}

// Quadratic for h <= 0.02 only; with 0.05 the error is 4.1, 10, 12 and saturated, with 0.1 the run explodes at t =
// 14.2.
TEST(error_growth, of_runge_on_the_toda_lattice_is_quadratic) {
    for (const double h : {0.02, 0.01}) {
        const auto small = analyse(recorded("toda", "runge2", {.step = h, .duration = 50}), "error-growth");
        EXPECT_EQ(number(small, "kind"), static_cast<double>(GrowthKind::quadratic)) << small.verdict;
    }
    const auto large = analyse(recorded("toda", "runge2", {.step = 0.05, .duration = 50}), "error-growth");
    EXPECT_EQ(number(large, "kind"), static_cast<double>(GrowthKind::saturated)) << large.verdict;
    EXPECT_NEAR(number(large, "largest_quarter"), 4.1, 0.05);
    EXPECT_NEAR(number(large, "largest"), 12, 0.5);
    const auto exploded = analyse(recorded("toda", "runge2", {.step = 0.1, .duration = 50}), "error-growth");
    EXPECT_EQ(number(exploded, "kind"), static_cast<double>(GrowthKind::exponential)) << exploded.verdict;
    EXPECT_NEAR(number(exploded, "known_until"), 14.2, 0.15);  // a step or so
}

TEST(error_growth, of_rattle_on_the_pendulum_is_linear) {
    const auto result =
        analyse(recorded("pendulum", "rattle", {.step = 0.05, .duration = 100, .every = 4}), "error-growth");
    EXPECT_EQ(number(result, "kind"), static_cast<double>(GrowthKind::linear)) << result.verdict;
}

// The reference cannot follow a chaotic motion for ever, and says so.
TEST(error_growth, of_a_chaotic_motion_is_exponential_or_saturated) {
    const auto result = analyse(recorded("argon", "verlet", {.step = 4e-5, .duration = 0.06}), "error-growth");
    const auto kind = static_cast<GrowthKind>(static_cast<int>(number(result, "kind")));
    EXPECT_TRUE(kind == GrowthKind::exponential || kind == GrowthKind::saturated) << result.verdict;
    EXPECT_EQ(result.warnings.empty(), number(result, "known_until") > 0.05999);
}

TEST(error_growth, follows_steps_of_variable_length) {
    const auto model = Model::load("kepler");
    IntegrationOptions options{.step = 0.05, .duration = 10};
    options.adaptive = AdaptiveOptions{.tolerance = 1e-5};
    const auto result = analyse(recorded(model, "lobatto(3)", options), "error-growth");
    EXPECT_LT(number(result, "largest"), 0.1);
    EXPECT_LT(number(result, "accuracy"), 0.01 * number(result, "largest"));
}

TEST(error_growth, refuses_a_reference_that_is_no_method) {
    const auto run = recorded("toda", "verlet", {.step = 0.1, .duration = 5});
    EXPECT_THROW(analyse(run, "error-growth", {{"reference", "lobato(3)"}}), InputError);
    EXPECT_THROW(analyse(run, "error-growth", {{"reference", "symplectic-euler"}}), InputError);  // worse than the run
}

}  // namespace

}  // namespace libration
