// Choices on problems whose solution is known, and what a choice says where there is nothing to choose.
#include <libration/choose/choose.hpp>

#include "choose/candidates.hpp"
#include "choose/motion.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace libration {

namespace {

Run run_of_choice(const Model& model, const Choice& choice) {
    return integrate(model, method(choice.method), {.step = choice.step, .duration = choice.duration});
}

double relative_distance(const std::vector<double>& a, const std::vector<double>& exact) {
    double most = 0, size = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        most = std::max(most, std::abs(a[k] - exact[k]));
        size = std::max(size, std::abs(exact[k]));
    }
    return most / size;
}

std::string message_of(const Model& model, const ChooseOptions& options) {
    try {
        (void)choose(model, options);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

Model oscillator(const std::string& more = "") {
    return Model::parse(
        "[coordinates]\nq = [\"x\"]\n[dynamics]\nmass = 1.0\npotential = \"2*x^2\"\n[initial]\nq = [1]\nv = [0]\n" +
            more,
        "oscillator.toml");
}

TEST(choose, reaches_the_error_of_an_oscillator) {
    const auto model = oscillator();
    for (const double error : {1e-2, 1e-5, 1e-9}) {
        const auto choice = choose(model, {.error = error, .duration = 51});
        const auto run = run_of_choice(model, choice);
        const double reached =
            std::max(relative_distance(run.q, {std::cos(102)}), relative_distance(run.p, {-2 * std::sin(102)}));
        EXPECT_LE(reached, 1.05 * error) << choice.method;
        EXPECT_GE(choice.predicted.error, 0.3 * reached) << choice.method;
        EXPECT_TRUE(run.warnings.empty());
    }
}

// Twenty periods: the orbit returns to where it began.
TEST(choose, reaches_the_error_of_an_orbit) {
    const auto model = Model::load("kepler");
    const auto choice = choose(model, {.error = 1e-7, .duration = 40 * std::numbers::pi});
    const auto run = run_of_choice(model, choice);
    EXPECT_LE(relative_distance(run.q, {0.4, 0}), 1.1e-7);
    EXPECT_LE(relative_distance(run.p, {0, 2}), 1.1e-7);
    EXPECT_EQ(choice.growth, ErrorGrowthKind::linear);
    EXPECT_EQ(run.evaluations.force > 0, true);
}

TEST(choose, takes_a_cheap_method_for_a_rough_answer_and_a_high_order_for_an_exact_one) {
    const auto model = Model::load("henon-heiles");
    const auto rough = choose(model, {.error = 0.05, .duration = 20});
    const auto exact = choose(model, {.error = 1e-10, .duration = 20});
    const auto order = [](const Choice& choice) { return method(choice.method).claims().order; };
    EXPECT_LT(order(rough), 7);
    EXPECT_GE(order(exact), 6);
    EXPECT_GT(exact.work, rough.work);
}

TEST(choose, is_the_same_each_time) {
    const auto model = Model::load("double-pendulum");
    const ChooseOptions options{.error = 1e-5, .duration = 5};
    const auto first = choose(model, options), second = choose(model, options);
    EXPECT_EQ(first.method, second.method);
    EXPECT_EQ(first.step, second.step);
    EXPECT_EQ(first.work, second.work);
    EXPECT_EQ(first.predicted.error, second.predicted.error);
}

TEST(choose, keeps_the_energy_within_what_is_asked) {
    const auto model = Model::load("pendulum");
    const auto choice = choose(model, {.energy_error = 1e-6, .duration = 50});
    EXPECT_LE(run_of_choice(model, choice).energy.max_error, 1e-6);
    EXPECT_EQ(choice.criterion, "energy_error");
    EXPECT_TRUE(std::isnan(choice.predicted.error));
}

TEST(choose, meets_both_where_both_are_asked) {
    const auto model = Model::load("pendulum");
    const auto state = choose(model, {.error = 1e-3, .duration = 20});
    const auto both = choose(model, {.error = 1e-3, .energy_error = 1e-9, .duration = 20});
    EXPECT_GT(state.predicted.energy_error, 1e-9);
    EXPECT_LE(run_of_choice(model, both).energy.max_error, 1e-9);
    EXPECT_LE(both.predicted.error, 1e-3);
}

// Started upright, it is chaotic: solutions that differ by rounding are apart after some fifty units of time.
Model upright_double_pendulum() {
    return Model::parse(
        "[coordinates]\nq = [\"x1\", \"y1\", \"x2\", \"y2\"]\n[dynamics]\nmass = 1.0\npotential = \"y1 + y2\"\n"
        "constraints = [\"x1^2 + y1^2 - 1\", \"(x2-x1)^2 + (y2-y1)^2 - 1\"]\n"
        "[initial]\nq = [0, 1, 1, 1]\nv = [0, 0, 0, 0]\n",
        "upright.toml");
}

TEST(choose, promises_no_positions_of_chaotic_motion) {
    const auto choice = choose(upright_double_pendulum(), {.error = 1e-4, .duration = 200});
    EXPECT_EQ(choice.growth, ErrorGrowthKind::chaotic);
    EXPECT_EQ(choice.criterion, "energy_error");
    EXPECT_TRUE(std::isnan(choice.predicted.error));
    EXPECT_GT(choice.horizon, 10);
    EXPECT_LT(choice.horizon, 120);
    EXPECT_NE(choice.reason.find("chaotic"), std::string::npos);
}

// A short chaotic motion is as predictable as any.
TEST(choose, promises_positions_within_the_horizon) {
    const auto choice = choose(upright_double_pendulum(), {.error = 1e-6, .duration = 5});
    EXPECT_EQ(choice.criterion, "error");
    EXPECT_LE(choice.predicted.error, 1e-6);
}

TEST(choose, divides_the_duration) {
    const auto choice = choose(Model::load("pendulum"), {.error = 1e-4, .duration = 7.3});
    EXPECT_EQ(choice.step, 7.3 / static_cast<double>(choice.steps));
}

TEST(choose, chooses_only_the_step_of_a_given_method) {
    const auto choice = choose(Model::load("pendulum"), {.error = 1e-4, .duration = 7, .method = "lobatto(3)"});
    EXPECT_EQ(choice.method, "lobatto(3)");
    EXPECT_EQ(choice.candidates.size(), 1U);
    EXPECT_NE(message_of(Model::load("pendulum"), {.method = "verlet"}).find("rattle"), std::string::npos);
}

TEST(choose, chooses_only_the_method_of_a_given_step) {
    const auto model = Model::load("kepler");
    const auto choice = choose(model, {.error = 1e-5, .duration = 20, .step = 0.05});
    EXPECT_EQ(choice.step, 0.05);
    EXPECT_LE(choice.predicted.error, 1e-5);
    const auto refused = message_of(model, {.error = 1e-9, .duration = 20, .step = 0.5});
    EXPECT_NE(refused.find("closest"), std::string::npos) << refused;
    EXPECT_NE(refused.find("omit `step`"), std::string::npos) << refused;
}

TEST(choose, runs_backward) {
    const auto model = oscillator();
    const auto choice = choose(model, {.error = 1e-6, .duration = -20});
    EXPECT_LT(choice.step, 0);
    EXPECT_LE(relative_distance(run_of_choice(model, choice).q, {std::cos(40)}), 1.1e-6);
}

TEST(choose, finds_a_duration_of_a_hundred_periods) {
    const auto choice = choose(oscillator(), {.error = 1e-4});
    EXPECT_NEAR(choice.duration, 100 * std::numbers::pi, 0.02 * 100 * std::numbers::pi);
    EXPECT_NEAR(choice.slowest, std::numbers::pi, 0.02 * std::numbers::pi);
    EXPECT_NEAR(choice.fastest, 0.5, 0.01);
}

TEST(choose, takes_the_duration_of_the_model) {
    const auto choice = choose(oscillator("[run]\nduration = 12\n"), {.error = 1e-4});
    EXPECT_EQ(choice.duration, 12);
    EXPECT_EQ(choice.slowest, 0);
}

TEST(choose, takes_one_step_where_nothing_moves) {
    const auto at_rest = Model::parse(
        "[coordinates]\nq = [\"x\"]\n[dynamics]\nmass = 1.0\npotential = \"x^2\"\n[initial]\nq = [0]\nv = [0]\n",
        "r.toml");
    const auto choice = choose(at_rest, {.error = 1e-8, .duration = 10});
    EXPECT_EQ(choice.steps, 1);
    EXPECT_EQ(choice.predicted.error, 0);
}

TEST(choose, says_what_can_be_reached_where_nothing_meets_the_request) {
    const auto model = Model::load("kepler");
    EXPECT_NE(message_of(model, {.error = 1e-16, .duration = 10}).find("closest that can be measured"),
              std::string::npos);
    // Round-off of some hundred revolutions.
    const auto refused = message_of(model, {.error = 1e-14, .duration = 2000});
    EXPECT_NE(refused.find("an error of 1e-14"), std::string::npos) << refused;
    EXPECT_NE(refused.find("`duration`"), std::string::npos) << refused;
}

TEST(choose, refuses_errors_that_are_none) {
    const auto model = oscillator();
    for (const double error : {0.0, -1e-6, std::nan(""), HUGE_VAL, 1.0}) {
        EXPECT_THROW(choose(model, {.error = error, .duration = 1}), InputError) << error;
    }
    for (const double error : {0.0, -1e-6, std::nan(""), HUGE_VAL}) {
        EXPECT_THROW(choose(model, {.energy_error = error, .duration = 1}), InputError) << error;
    }
    EXPECT_THROW(choose(model, {.error = 1e-3, .duration = 0}), InputError);
    EXPECT_THROW(choose(model, {.error = 1e-3, .duration = std::nan("")}), InputError);
    EXPECT_THROW(choose(model, {.error = 1e-3, .duration = 1, .step = -0.1}), InputError);
}

TEST(choose, refuses_energy_errors_where_energy_is_not_conserved) {
    EXPECT_NE(message_of(Model::load("damped-spherical-pendulum"), {.energy_error = 1e-6}).find("`error = E`"),
              std::string::npos);
}

TEST(choose, suits_models_with_forces) {
    const auto choice = choose(Model::load("damped-spherical-pendulum"), {.error = 1e-6, .duration = 10});
    EXPECT_TRUE(choice.method.starts_with("spark")) << choice.method;
    EXPECT_LE(choice.predicted.error, 1e-6);
}

TEST(slowest_period, is_the_mean_time_between_crossings_in_one_direction) {
    std::vector<double> wave;
    for (int k = 0; k < 1000; ++k) {
        wave.push_back(3 + std::sin(0.1 * k));
    }
    EXPECT_NEAR(slowest_period(wave, 0.1).value(), 2 * std::numbers::pi, 0.02);
    EXPECT_FALSE(slowest_period(std::vector<double>{1, 2, 3, 4}, 1));
}

}  // namespace

}  // namespace libration
