// Exponents that are known, that come in pairs, and that another way of measuring finds, too.
#include "analysis/lyapunov.hpp"
#include <libration/analysis/analysis.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace libration {

namespace {

const char* const saddle = R"(
name = "saddle"
description = "A ball on top of a hill."
source = "test"
[coordinates]
q = ["x"]
[dynamics]
mass = 1.0
potential = "-x^2/2"
[initial]
q = [0]
v = [0]
)";

// Verlet has the trace 2 + h^2 on this system, so its exponent is arcosh(1 + h^2/2)/h = 1 - h^2/24 + ...
TEST(lyapunov, of_a_linear_saddle_is_that_of_the_matrix_of_a_step) {
    const auto model = Model::parse(saddle, "saddle.toml");
    for (const double h : {0.2, 0.1}) {
        const auto found = lyapunov_exponents(model, method("verlet"), {.step = h, .duration = 200, .count = 2});
        const double exact = std::acosh(1 + h * h / 2) / h;
        EXPECT_NEAR(found.exponents[0], exact, 1e-12);  // round-off of 200 units of growth, over 180
        EXPECT_NEAR(found.exponents[1], -exact, 1e-12);
        EXPECT_NEAR(found.exponents[0], 1, h * h / 20);
        EXPECT_GT(std::abs(found.exponents[0] - 1), h * h / 30);
    }
    const auto fine = lyapunov_exponents(model, method("gauss(3)"), {.step = 0.1, .duration = 200});
    EXPECT_NEAR(fine.exponents[0], 1, 1e-10);  // order 6: h^6/100800 = 1e-11
}

TEST(lyapunov, of_regular_motion_is_zero) {
    const auto oscillator = lyapunov_exponents(Model::load("harmonic-oscillator"), method("verlet"),
                                               {.step = 0.1, .duration = 1000, .count = 2});
    // Ellipses: the logarithms of lengths stay below 1, and 900 units of time divide them.
    EXPECT_NEAR(oscillator.exponents[0], 0, 1e-3);
    EXPECT_NEAR(oscillator.exponents[0] + oscillator.exponents[1], 0, 1e-12);
    const auto star =
        lyapunov_exponents(Model::load("henon-heiles"), method("verlet"), {.step = 0.1, .duration = 2000});
    // Neighbours move apart like t: log(2000)/2000 = 3.8e-3.
    EXPECT_LT(std::abs(star.exponents[0]), 3.8e-3);
    EXPECT_LT(star.exponents[0], 3 * star.errors[0]);
}

// The old way: a second trajectory at distance 1e-8, brought back to that distance every 10 units of time.
double exponent_of_two_trajectories(const Model& model, double h, int rounds) {
    constexpr double distance = 1e-8, time = 10;
    const auto go = [&](const std::vector<double>& z) {
        auto moved = model;
        for (std::uint32_t k = 0; k < 4; ++k) {
            using Kind = InitialValue::Kind;
            moved.initial.push_back({k < 2 ? Kind::position : Kind::velocity, {Expression(z[k]), 1, {}}, {k % 2}});
        }
        const auto run = integrate(moved, method("verlet"), {.step = h, .duration = time, .monitor = 0});
        return std::vector<double>{run.q[0], run.q[1], run.p[0], run.p[1]};
    };
    std::vector<double> z{0, 0.1, std::sqrt(0.3 - 0.01 - 0.01 + 0.002 / 3), 0.1};
    auto neighbour = z;
    neighbour[0] += distance;
    double sum = 0;
    for (int n = 0; n < rounds; ++n) {
        z = go(z);
        neighbour = go(neighbour);
        double square = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            square += (neighbour[k] - z[k]) * (neighbour[k] - z[k]);
        }
        const double factor = std::sqrt(square) / distance;
        sum += n < rounds / 10 ? 0 : std::log(factor);
        for (std::size_t k = 0; k < 4; ++k) {
            neighbour[k] = z[k] + (neighbour[k] - z[k]) / factor;
        }
    }
    return sum / (time * (rounds - rounds / 10));
}

TEST(lyapunov, of_chaotic_motion_agrees_with_two_trajectories) {
    const auto model = Model::load("henon-heiles", {{"H0", "0.15"}});
    const auto found = lyapunov_exponents(model, method("verlet"), {.step = 0.05, .duration = 10000});
    EXPECT_GT(found.exponents[0], 10 * found.errors[0]);
    const double other = exponent_of_two_trajectories(model, 0.05, 1000);
    EXPECT_NEAR(found.exponents[0], other, 4 * found.errors[0]);  // each has such an error
}

TEST(lyapunov, exponents_of_symplectic_methods_come_in_pairs) {
    const auto model = Model::load("henon-heiles", {{"H0", "0.15"}});
    const auto found = lyapunov_exponents(model, method("verlet"), {.step = 0.1, .duration = 1000, .count = 0});
    ASSERT_EQ(found.exponents.size(), 4U);
    EXPECT_NEAR(std::accumulate(found.exponents.begin(), found.exponents.end(), 0.0), 0, 1e-12);
    // Both directions need their time to settle, so the pairs are exact only up to their logarithms, divided by it.
    EXPECT_NEAR(found.exponents[0] + found.exponents[3], 0, 1 / found.time);
    EXPECT_NEAR(found.exponents[1] + found.exponents[2], 0, 1 / found.time);
    EXPECT_LT(found.exponents[1], found.exponents[0] / 10);  // along the flow: like log(t)/t
    // Runge's method keeps no volume.
    const auto runge = lyapunov_exponents(model, method("runge2"), {.step = 0.1, .duration = 100, .count = 0});
    EXPECT_GT(std::abs(std::accumulate(runge.exponents.begin(), runge.exponents.end(), 0.0)), 1e-6);
}

TEST(lyapunov, vectors_stay_in_the_tangent_space_of_the_manifold) {
    const auto model = Model::load("double-pendulum", {{"theta1", "2"}, {"theta2", "3"}});
    const auto found = lyapunov_exponents(model, method("rattle"), {.step = 0.01, .duration = 100, .count = 0});
    EXPECT_EQ(found.tangent_dimension, 4U);
    ASSERT_EQ(found.exponents.size(), 4U);
    EXPECT_LT(found.tangent_residual, 1e-12);
    EXPECT_GT(found.exponents[0], 3 * found.errors[0]);
    // The volume that is kept is that of the symplectic form; that of the surrounding space is det(G M^-1 G^T) over the
    // volume that the gradients of g and G M^-1 p span times it. So the sum of the exponents is the change of the
    // logarithm of that factor over the time: along this run it lies between -2.7 and 0.
    EXPECT_NEAR(std::accumulate(found.exponents.begin(), found.exponents.end(), 0.0), 0, 2.7 / found.time);
    EXPECT_EQ(lyapunov_exponents(Model::load("triple-pendulum"), method("rattle"), {.step = 0.01, .duration = 2.5})
                  .tangent_dimension,
              6U);
}

TEST(lyapunov, is_the_same_whatever_the_number_of_bases) {
    const auto model = Model::parse(saddle, "saddle.toml");
    const auto often = lyapunov_exponents(model, method("verlet"), {.step = 0.1, .duration = 40, .renormalise = 1});
    const auto seldom = lyapunov_exponents(model, method("verlet"), {.step = 0.1, .duration = 40, .renormalise = 20});
    EXPECT_NEAR(often.exponents[0], seldom.exponents[0], 1e-4);  // what is left of the first vector after 4 units: e^-8
}

TEST(lyapunov, refuses_what_has_no_tangent_map_or_makes_no_sense) {
    const auto model = Model::load("triple-pendulum");
    EXPECT_THROW(lyapunov_exponents(model, method("multistep(6)"), {.step = 0.01, .duration = 10}), InputError);
    EXPECT_THROW(lyapunov_exponents(model, method("shake"), {.step = 0.01, .duration = 10}), InputError);
    EXPECT_THROW(lyapunov_exponents(model, method("verlet"), {.step = 0.01, .duration = 10}), InputError);
    EXPECT_THROW(lyapunov_exponents(model, method("rattle"), {.step = 0.01, .duration = 10, .count = 7}), InputError);
    EXPECT_THROW(lyapunov_exponents(model, method("rattle"), {.step = 0.01, .duration = 1}), InputError);
    EXPECT_THROW(lyapunov_exponents(model, method("rattle"), {.step = 0, .duration = 1}), InputError);
}

// Neighbours separate along the run, wherever it goes.
TEST(lyapunov, of_a_saddle_is_the_same_backward) {
    const auto model = Model::parse(saddle, "saddle.toml");
    const auto found = lyapunov_exponents(model, method("verlet"), {.step = -0.1, .duration = 200});
    EXPECT_NEAR(found.exponents[0], std::acosh(1 + 0.01 / 2) / 0.1, 1e-12);
    EXPECT_GT(found.time, 0);
}

// As many constraints as coordinates, or more: a point that cannot move has no neighbours.
TEST(lyapunov, refuses_a_manifold_without_tangents) {
    for (const auto* constraints : {"\"x - y\", \"x + y\"", "\"x - y\", \"x + y\", \"x\""}) {
        const auto model = Model::parse(fmt::format(R"toml(
name = "nailed"
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
potential = "y"
constraints = [{}]
[initial]
q = [0, 0]
v = [0, 0]
)toml",
                                                    constraints),
                                        "nailed.toml");
        for (const std::size_t count : {0U, 1U}) {
            EXPECT_THROW(lyapunov_exponents(model, method("rattle"), {.step = 0.1, .duration = 50, .count = count}),
                         InputError);
        }
    }
}

TEST(lyapunov, as_an_analysis_starts_from_the_recorded_state) {
    const auto model = Model::load("henon-heiles", {{"H0", "0.15"}});
    const IntegrationOptions options{.step = 0.1, .duration = 300};
    TrajectoryKeeper keeper(model, "verlet", options);
    integrate(model, method("verlet"), options, keeper);
    const auto result = analyse(keeper.trajectory, "lyapunov", {{"count", "all"}});
    EXPECT_EQ(result.numbers[0].name, "exponent_1");
    EXPECT_EQ(result.numbers[0].value,
              lyapunov_exponents(model, method("verlet"), {.step = 0.1, .duration = 300, .count = 0}).exponents[0]);
    EXPECT_EQ(result.figures.size(), 1U);
    const auto later = analyse(keeper.trajectory, "lyapunov", {{"row", "1000"}});
    EXPECT_NE(later.numbers[0].value, result.numbers[0].value);
    EXPECT_THROW(analyse(keeper.trajectory, "lyapunov", {{"row", "3001"}}), InputError);
    EXPECT_THROW(analyse(keeper.trajectory, "lyapunov", {{"duration", "-5"}}), InputError);
    EXPECT_THROW(analyse(keeper.trajectory, "lyapunov", {{"duration", "1e12"}}), InputError);
    EXPECT_THROW(analyse(keeper.trajectory, "lyapunov", {{"count", "0"}}), InputError);
    EXPECT_THROW(analyse(keeper.trajectory, "lyapunov", {{"count", "some"}}), InputError);
    EXPECT_THROW(analyse(keeper.trajectory, "lyapunov", {{"counts", "1"}}), InputError);
}

}  // namespace

}  // namespace libration
