// The figures of Jay (1996), section 5: double pendulum and charged particle, four kinds of methods.
#include "reference.hpp"
#include "trend.hpp"

#include "integrate/start.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

using conformance::Trend;

struct PendulumErrors {
    double q, p, lambda;
};

template <std::size_t N>
double distance(const std::vector<double>& found, const std::array<std::string_view, N>& exact) {
    double most = 0;
    for (std::size_t k = 0; k < N; ++k) {
        most = std::max(most, std::abs(found[k] - from_text<double>(exact[k])));
    }
    return most;
}

PendulumErrors errors(const char* spec, double h) {
    const auto run = integrate(Model::load("double-pendulum"), method(spec),
                               {.step = h, .steps = static_cast<std::int64_t>(std::lround(5 / h))});
    EXPECT_EQ(run.status, RunStatus::completed) << spec;
    return {distance(run.q, reference::double_pendulum_q), distance(run.p, reference::double_pendulum_p),
            distance(run.lambda, reference::double_pendulum_lambda)};
}

void expect_orders(const char* spec, double h, const PendulumErrors& orders, double tolerance) {
    const auto coarse = errors(spec, h), fine = errors(spec, h / 2);
    EXPECT_NEAR(std::log2(coarse.q / fine.q), orders.q, tolerance) << spec;
    EXPECT_NEAR(std::log2(coarse.p / fine.p), orders.p, tolerance) << spec;
    EXPECT_NEAR(std::log2(coarse.lambda / fine.lambda), orders.lambda, tolerance) << spec;
}

// Known from an independent program, at t = 5 with h = 0.1, 0.05, ...; their ratios are the orders of Fig. 5.8. With h
// < 0.05 the next term of the error is a few per cent of the first, hence 0.05 in the order; projected Gauss has a zero
// crossing.
TEST(JayFigures, orders_of_lobatto) {
    EXPECT_NEAR(errors("lobatto(3)", 0.1).q, 5.99e-6, 0.005e-6);
    EXPECT_NEAR(errors("lobatto(3)", 0.05).q, 3.75e-7, 0.005e-7);
    EXPECT_NEAR(errors("lobatto(4)", 0.05).q, 2.2e-10, 0.05e-10);
    expect_orders("lobatto(2)", 0.025, {2, 2, 2}, 0.05);
    expect_orders("lobatto(3)", 0.05, {4, 4, 4}, 0.05);
    expect_orders("lobatto(4)", 0.1, {6, 6, 6}, 0.05);
}

TEST(JayFigures, orders_of_projected_gauss) {
    EXPECT_NEAR(errors("projected-gauss(2)", 0.05).q, 4.4e-5, 0.05e-5);
    expect_orders("projected-gauss(2)", 0.003125, {2, 2, 2}, 0.1);
}

// Multipliers are those of (3.1f), so they have the order of p and not that of the last stage, which is one less.
TEST(JayFigures, orders_of_radau) {
    EXPECT_NEAR(errors("radau(2)", 0.05).p, 3.7e-4, 0.05e-4);
    expect_orders("radau(2)", 0.003125, {3, 2, 2}, 0.1);
    EXPECT_NEAR(errors("projected-radau(2)", 0.025).q, 2.7e-5, 0.05e-5);
    expect_orders("projected-radau(2)", 0.025, {3, 3, 3}, 0.05);
}

// H - H0 over 5000 steps of 0.12.
Trend long_run(const char* problem, const char* spec, double& end) {
    Trend trend;
    const auto run = integrate(Model::load(problem), method(spec), {.step = 0.12, .steps = 5000}, trend);
    EXPECT_EQ(run.status, RunStatus::completed);
    trend.low -= run.energy.initial;
    trend.high -= run.energy.initial;
    end = run.energy.final - run.energy.initial;
    return trend;
}

TEST(JayFigures, lobatto_keeps_the_energy) {
    double end = 0;
    const auto pendulum = long_run("double-pendulum", "lobatto(3)", end);
    EXPECT_NEAR(pendulum.low, -7.28e-6, 0.005e-6);
    EXPECT_NEAR(pendulum.high, 9.61e-6, 0.005e-6);
    // 600 time units and a range of 1.7e-5: oscillation alone can look like a slope of 1e-10.
    EXPECT_LT(std::abs(pendulum.slope()), 1e-10);
    const auto charged = long_run("charged-particle", "lobatto(3)", end);
    EXPECT_NEAR(charged.low, -4.93e-6, 0.005e-6);
    EXPECT_LT(charged.high, 1e-12);
    EXPECT_LT(std::abs(charged.slope()), 1e-10);
}

TEST(JayFigures, the_others_drift) {
    double end = 0;
    EXPECT_NEAR(long_run("double-pendulum", "projected-gauss(2)", end).slope(), -1.41e-4, 0.005e-4);
    EXPECT_NEAR(end, -8.50e-2, 0.005e-2);
    EXPECT_NEAR(long_run("double-pendulum", "radau(2)", end).slope(), -2.53e-4, 0.005e-4);
    EXPECT_NEAR(end, -1.541e-1, 0.0005e-1);
    EXPECT_NEAR(long_run("double-pendulum", "projected-radau(2)", end).slope(), -3.41e-4, 0.005e-4);
    EXPECT_NEAR(end, -2.114e-1, 0.0005e-1);
    EXPECT_NEAR(long_run("charged-particle", "radau(2)", end).slope(), -1.46e-3, 0.005e-3);
    EXPECT_NEAR(end, -0.896, 0.0005);
    EXPECT_NEAR(long_run("charged-particle", "projected-radau(2)", end).slope(), -1.48e-3, 0.005e-3);
    EXPECT_NEAR(end, -0.910, 0.0005);
}

// Halving the step does not help: the error of p at t = 2 stays where it is, and the run ends with status failed.
TEST(JayFigures, gauss_without_projection_diverges) {
    for (const double h : {0.12, 0.01}) {
        const auto run = integrate(Model::load("double-pendulum"), method("gauss(2)"), {.step = h, .steps = 5000});
        EXPECT_EQ(run.status, RunStatus::failed) << h;
        EXPECT_GT(run.energy.max_error, 10) << h;
        EXPECT_GT(run.steps, 10);
    }
    const auto coarse = errors("gauss(2)", 0.025), fine = errors("gauss(2)", 0.0125);
    EXPECT_GT(fine.p, 0.5 * coarse.p);
    EXPECT_GT(fine.p, 1);
}

// Known to 16 digits from two independent formulations.
TEST(JayFigures, charged_particle_whose_energy_is_not_separable) {
    constexpr std::array<std::string_view, 3> q{"-0.2552165172196391", "-0.826186141926855", "0.5022758089200556"};
    constexpr std::array<std::string_view, 3> p{"-0.5090185496931797", "-0.08049663855623863", "-0.391050385488517"};
    constexpr std::array<std::string_view, 1> lambda{"0.1730567938876714"};
    const auto model = Model::load("charged-particle");
    for (const auto& [spec, order] : {std::pair{"lobatto(2)", 2}, {"lobatto(3)", 4}, {"lobatto(4)", 6}}) {
        const auto coarse = integrate(model, method(spec), {.step = 0.05, .steps = 20});
        const auto fine = integrate(model, method(spec), {.step = 0.025, .steps = 40});
        EXPECT_NEAR(std::log2(distance(coarse.q, q) / distance(fine.q, q)), order, 0.05);
        EXPECT_NEAR(std::log2(distance(coarse.p, p) / distance(fine.p, p)), order, 0.05);
        EXPECT_NEAR(std::log2(distance(coarse.lambda, lambda) / distance(fine.lambda, lambda)), order, 0.05);
    }
}

// Two formulations of one map; both are at round-off of numbers of size one.
TEST(JayFigures, lobatto_with_two_stages_is_rattle) {
    const auto model = Model::load("double-pendulum");
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    std::vector<double> q = start.q, p = start.p;
    for (int n = 0; n < 100; ++n) {
        const auto rattle = make_stepper<double>(method("rattle"), *system),
                   lobatto = make_stepper<double>(method("lobatto(2)"), *system);
        for (auto* stepper : {rattle.get(), lobatto.get()}) {
            stepper->start(0, q, p, 0.05);
            stepper->advance();
            stepper->accept();
        }
        const auto a = rattle->node(), b = lobatto->node();
        for (std::size_t j = 0; j < q.size(); ++j) {
            EXPECT_NEAR(a.q[j], b.q[j], 1e-15);
            EXPECT_NEAR(a.p[j], b.p[j], 1e-14);  // rounding of g acts on momenta through 1/h
        }
        q.assign(a.q.begin(), a.q.end());
        p.assign(a.p.begin(), a.p.end());
    }
}

// Console, Hairer and Lubich, section 6, and what an independent program measures: 6.6e-6.
TEST(JayFigures, seventeen_rattle_steps_of_kahan_and_li) {
    const auto run = integrate(Model::load("two-body-sphere"), method("compose(rattle, kahanli8)"),
                               {.step = 0.125, .steps = 16'000});
    EXPECT_NEAR(run.energy.max_error, 6.6e-6, 0.05e-6);
    EXPECT_EQ(run.evaluations.force, 17 * 16'000 + 1);
    for (const auto& invariant : run.invariants) {
        EXPECT_LT(invariant.max_error, 6e-14) << invariant.name;
    }
    expect_orders("compose(rattle, kahanli8)", 0.1, {8, 8, 8}, 0.3);
}

#ifdef LIBRATION_HAS_QUAD
// Order 20 in quadruple precision, against the same method with half the step: 8.5e-27 and 2.6e-30.
TEST(JayFigures, lobatto_with_eleven_stages_has_order_twenty) {
    const auto model = Model::load("pendulum");
    const auto system = make_system<Quad>(model);
    const auto start = start_state<Quad>(model, *system);
    const auto end = [&](int steps) {
        const auto stepper = make_stepper<Quad>(method("lobatto(11)"), *system);
        stepper->start(Quad{0}, start.q, start.p, Quad{2} / steps);
        for (int n = 0; n < steps; ++n) {
            EXPECT_EQ(stepper->advance().converged, 1);
            stepper->accept();
        }
        const auto node = stepper->node();
        return std::vector<Quad>(node.q.begin(), node.q.end());
    };
    const auto error = [](const std::vector<Quad>& a, const std::vector<Quad>& b) {
        double most = 0;
        for (std::size_t j = 0; j < a.size(); ++j) {
            most = std::max(most, std::abs(static_cast<double>(a[j] - b[j])));
        }
        return most;
    };
    const auto exact = end(24);
    const double coarse = error(end(8), exact), fine = error(end(12), exact);
    EXPECT_NEAR(std::log(coarse / fine) / std::log(1.5), 20, 1) << coarse << " " << fine;
}
#endif

}  // namespace
}  // namespace libration
