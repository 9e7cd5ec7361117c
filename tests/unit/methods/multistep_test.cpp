// multistep(k, ...): the running method itself. Orders and residuals are measured by the conformance suite.
#include "integrate/start.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/builder.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace libration;

namespace {

std::string refusal(const char* spec) {
    try {
        const auto reason = unmet_needs(method(spec), SystemProperties{}, 1);
        return reason.empty() ? "accepted" : reason;
    } catch (const InputError& error) {
        return error.what();
    }
}

void expect_refused(const char* spec, const char* reason) {
    const auto text = refusal(spec);
    EXPECT_NE(text.find(reason), std::string::npos) << spec << ": " << text;
}

}  // namespace

// q_n+1 - 2 q_n + q_n-1 = -h^2 (U_q + 2 q_n lambda_n): across the rod of a pendulum nothing but gravity acts. [CHL (5)]
TEST(Multistep, of_two_steps_is_shake) {
    Recorder record;
    const double h = 0.01;
    integrate(Model::load("pendulum"), method("multistep(2)"), {.step = h, .steps = 500}, record);
    for (std::size_t n = 1; n < 500; ++n) {
        const auto second = [&](std::size_t j) { return record.q[n + 1][j] - 2 * record.q[n][j] + record.q[n - 1][j]; };
        const double x = record.q[n][0], y = record.q[n][1];
        EXPECT_NEAR(x * (second(1) + h * h) - y * second(0), 0, 1e-15) << n;
    }
}

TEST(Multistep, hands_out_its_nodes_in_order_of_time) {
    const auto model = Model::load("double-pendulum");
    for (const char* spec : {"multistep(2)", "multistep(4)", "multistep(8)", "multistep(4, -0.6, beta=0.26)"}) {
        Recorder record;
        const auto run = integrate(model, method(spec), {.step = 0.01, .steps = 25}, record);
        ASSERT_EQ(record.t.size(), 26U) << spec;
        for (std::size_t n = 0; n < record.t.size(); ++n) {
            EXPECT_DOUBLE_EQ(record.t[n], 0.01 * static_cast<double>(n)) << spec;
        }
        EXPECT_EQ(run.steps, 25);
        EXPECT_EQ(record.q.back(), run.q);
    }
}

// The first nodes come from the starter, the later ones from formula (11): both are near the exact solution, with no
// jump.
TEST(Multistep, passes_from_the_starter_to_its_own_momenta_without_a_jump) {
    const auto model = Model::load("double-pendulum");
    Recorder ours, exact;
    integrate(model, method("multistep(8)"), {.step = 0.01, .steps = 20}, ours);
    integrate(model, method("lobatto(6)"), {.step = 0.01, .steps = 20}, exact);
    for (std::size_t n = 0; n <= 20; ++n) {
        for (std::size_t j = 0; j < 4; ++j) {
            EXPECT_NEAR(ours.q[n][j], exact.q[n][j], 1e-14) << n;
            EXPECT_NEAR(ours.p[n][j], exact.p[n][j], 1e-13) << n;
        }
    }
}

TEST(Multistep, turned_round_returns_through_its_own_positions) {
    const auto model = Model::load("triple-pendulum");
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    for (const char* spec :
         {"multistep(2)", "multistep(6, -0.7, 0.4)", "multistep(10)", "multistep(4, -0.6, beta=0.26)"}) {
        const auto stepper = make_stepper<double>(method(spec), *system);
        const int lag = method(spec).lag();
        stepper->start(0, start.q, start.p, 0.01);
        EXPECT_FALSE(stepper->turn_round()) << "nothing to turn yet";
        std::vector<std::vector<double>> nodes;
        for (int n = 1; n <= 200 + lag; ++n) {
            ASSERT_EQ(stepper->advance().converged, 1) << spec;
            stepper->accept();
            if (n >= lag) {
                const auto node = stepper->node();
                nodes.emplace_back(node.q.begin(), node.q.end());
                nodes.back().insert(nodes.back().end(), node.p.begin(), node.p.end());
            }
        }
        ASSERT_TRUE(stepper->turn_round()) << spec;
        for (std::size_t n = 200; n > static_cast<std::size_t>(lag); --n) {
            ASSERT_EQ(stepper->advance().converged, 1) << spec;
            stepper->accept();
            const auto node = stepper->node();
            EXPECT_NEAR(node.t, 0.01 * static_cast<double>(n), 1e-13);
            for (std::size_t j = 0; j < 6; ++j) {
                ASSERT_NEAR(node.q[j], nodes[n][j], 1e-12) << spec << " node " << n;
                ASSERT_NEAR(node.p[j], nodes[n][6 + j], 1e-11) << spec << " node " << n;
            }
        }
    }
}

TEST(Multistep, costs_one_force_and_one_factorisation_a_step) {
    const auto model = Model::load("triple-pendulum");
    for (const char* spec : {"multistep(4)", "multistep(8)"}) {
        const auto few = integrate(model, method(spec), {.step = 0.01, .steps = 100});
        const auto many = integrate(model, method(spec), {.step = 0.01, .steps = 1100});
        EXPECT_EQ(many.evaluations.force - few.evaluations.force, 1000);
        EXPECT_EQ(many.evaluations.jacobian - few.evaluations.jacobian, 1000);
        EXPECT_EQ(many.evaluations.factorizations - few.evaluations.factorizations, 1000);
    }
}

TEST(Multistep, runs_backwards_and_without_constraints) {
    // From rest, so the past is the future.
    const auto back = integrate(Model::load("double-pendulum"), method("multistep(8)"), {.step = -0.01, .steps = 500});
    const auto forth = integrate(Model::load("double-pendulum"), method("multistep(8)"), {.step = 0.01, .steps = 500});
    EXPECT_EQ(back.status, RunStatus::completed);
    EXPECT_EQ(back.q, forth.q);
    EXPECT_EQ(back.energy.max_error, forth.energy.max_error);
    const auto kepler = integrate(Model::load("kepler"), method("multistep(8)"), {.step = 0.01, .steps = 10000});
    EXPECT_EQ(kepler.status, RunStatus::completed);
    EXPECT_LT(kepler.energy.max_error, 1e-6);
}

TEST(Multistep, warns_of_a_step_beyond_the_interval_of_periodicity) {
    ModelBuilder builder("oscillator");
    const auto x = builder.coordinates({"x"})[0];
    builder.mass(2).potential(Expression(25) * x * x).initial_position({1});  // omega = 5
    const auto model = builder.build();
    const auto warnings = [&](double h) {
        return integrate(model, method("multistep(4, -0.2)"), {.step = h, .steps = 3}).warnings;
    };
    // Omega = sqrt(6 * 1.2 / 2.2) = 1.8091
    EXPECT_TRUE(warnings(0.0904).empty());
    for (const auto& [h, words] : {std::pair{0.0905, "is large for"}, std::pair{0.361, "is large for"},
                                   std::pair{0.363, "beyond the interval of periodicity"},
                                   std::pair{-0.363, "beyond the interval of periodicity"}}) {
        const auto found = warnings(h);
        ASSERT_EQ(found.size(), 1U) << h;
        EXPECT_NE(found[0].find(words), std::string::npos) << found[0];
        EXPECT_NE(found[0].find("frequency 5"), std::string::npos) << found[0];
    }
    EXPECT_NE(warnings(0.363)[0].find("|h| above 0.36"), std::string::npos) << warnings(0.363)[0];
}

// The frequency of a pendulum at rest is that of its multiplier alone, sqrt(g/l) = 2: along the rod nothing swings.
TEST(Multistep, knows_the_frequency_of_a_pendulum_from_its_constraint) {
    ModelBuilder builder("pendulum");
    const auto q = builder.coordinates({"x", "y"});
    builder.mass(3)
        .potential(Expression(12) * q[1])
        .constraint(q[0] * q[0] + q[1] * q[1] - 1)
        .initial_position({0, -1});
    const auto model = builder.build();
    const auto warnings = [&](double h) {
        return integrate(model, method("multistep(4, -0.2)"), {.step = h, .steps = 3}).warnings;
    };
    // A quarter of Omega / 2 is 0.22615.
    EXPECT_TRUE(warnings(0.226).empty());
    EXPECT_EQ(warnings(0.2263).size(), 1U);
}

// (0.66, -0.26) has the largest interval of periodicity of order 6, satisfies (13), and fails on the triple pendulum at
// t = 207.
TEST(Multistep, warns_of_roots_that_nearly_meet) {
    const auto model = Model::load("triple-pendulum");
    const auto warnings = [&](const char* spec) {
        return integrate(model, method(spec), {.step = 0.01, .steps = 3}).warnings;
    };
    EXPECT_TRUE(warnings("multistep(6, -0.7, 0.4)").empty());
    ASSERT_EQ(warnings("multistep(6, 0.66, -0.26)").size(), 1U);
    EXPECT_NE(warnings("multistep(6, 0.66, -0.26)")[0].find("the nearest good choice is multistep(6, "),
              std::string::npos);
}

TEST(Multistep, refuses_parameters_that_make_no_sense) {
    expect_refused("multistep(6, 2, 0.1)", "a = 2 is not between -1 and 1");
    expect_refused("multistep(6, 2, 0.1)", "the nearest good choice is multistep(6, ");
    expect_refused("multistep(6, 0.1, 0.1)", "a = 0.1 is given twice");
    expect_refused("multistep(6, 0.1, 0.1)", "the nearest good choice is multistep(6, ");
    expect_refused("multistep(7)", "even");
    expect_refused("multistep(8, 0.1)", "takes 3 parameters a, and 1 is given");
    expect_refused("multistep(6, a, b)", "a_1 = a: expected a number");
    expect_refused("multistep(6, 0.1, nan)", "a_2 = nan: expected a number");
    expect_refused("multistep(6, beta=0.1, beta=0.2)", "beta is given twice");
    expect_refused("multistep(12)", "has no default parameters");
    expect_refused("multistep(6, 0.1, 0.2, gamma=3)", "unknown parameter 'gamma=3'");
    expect_refused("multistep(0)", "from 2 to 20");
    expect_refused("multistep", "from 2 to 20");
    // Implicit, but too near to explicit for the roots of sigma to be on the circle.
    expect_refused("multistep(4, 0, beta=0.075)", "condition (13) fails");
}
