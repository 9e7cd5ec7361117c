// The energy balance: exact on polynomials, of the order of the method along runs, and far from zero where a force is
// left out.
#include "integrate/node_quadrature.hpp"

#include <libration/integrate/integrate.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

// x^degree, whose integral is x^(degree + 1)/(degree + 1).
double largest_error(bool constant, int degree, const std::vector<double>& times) {
    NodeQuadrature quadrature(constant);
    double worst = 0;
    std::size_t known = 0;
    const auto primitive = [&](double t) { return std::pow(t, degree + 1) / (degree + 1); };
    for (const double t : times) {
        for (const auto& value : quadrature.add(t, std::pow(t, degree))) {
            worst = std::max(worst, std::abs(value.integral - (primitive(value.t) - primitive(times.front()))));
            ++known;
        }
    }
    EXPECT_EQ(known, times.size());
    return worst;
}

TEST(NodeQuadrature, IsExactForPolynomialsOfDegree7AtConstantSteps) {
    std::vector<double> times;
    for (int n = 0; n <= 40; ++n) {
        times.push_back(0.5 - 0.05 * n);  // backward
    }
    EXPECT_LT(largest_error(true, 7, times), 1e-13);
    EXPECT_GT(largest_error(true, 8, times), 1e-13);
}

TEST(NodeQuadrature, IsExactForPolynomialsOfDegree4AtVaryingSteps) {
    std::vector<double> times{0};
    for (int n = 1; n <= 40; ++n) {
        times.push_back(times.back() + 0.02 * (1 + 0.5 * std::sin(n)));
    }
    EXPECT_LT(largest_error(false, 4, times), 1e-14);
    EXPECT_GT(largest_error(false, 6, times), 1e-12);
}

TEST(NodeQuadrature, KnowsShortRunsAtTheirEnd) {
    NodeQuadrature quadrature(true);
    for (const double t : {0.0, 0.1, 0.2, 0.3}) {
        EXPECT_TRUE(quadrature.add(t, t * t * t).empty());
    }
    const auto rest = quadrature.rest();
    ASSERT_EQ(rest.size(), 4U);
    EXPECT_NEAR(rest.back().integral, std::pow(0.3, 4) / 4, 1e-16);
}

double balance_of(const Model& model, const char* spec, double step, double duration) {
    const auto run = integrate(model, method(spec), {.step = step, .duration = duration});
    EXPECT_EQ(run.status, RunStatus::completed);
    EXPECT_FALSE(run.energy.conserved);
    return run.balance.max_error;
}

struct Case {
    const char* model;
    const char* method;
    double step, order;
};

class BalanceOrder : public testing::TestWithParam<Case> {};

TEST_P(BalanceOrder, IsThatOfTheMethod) {
    const auto& [name, spec, step, order] = GetParam();
    const auto model = Model::load(name);
    const double coarse = balance_of(model, spec, step, 8), fine = balance_of(model, spec, step / 2, 8);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.3) << coarse << " " << fine;
}

INSTANTIATE_TEST_SUITE_P(Forces, BalanceOrder,
                         testing::Values(Case{"damped-spherical-pendulum", "spark(2)", 0.04, 2},
                                         Case{"damped-spherical-pendulum", "spark(3)", 0.04, 4},
                                         Case{"driven-pendulum", "spark(3)", 0.04, 4},  // a constraint that moves
                                         Case{"driven-pendulum", "rattle", 0.04, 2}));

TEST(EnergyBalance, OfConservedEnergyIsItsError) {
    const auto run = integrate(Model::load("triple-pendulum"), method("rattle"), {.step = 0.01, .steps = 100});
    EXPECT_EQ(run.balance.max_error, run.energy.max_error);
}

TEST(EnergyBalance, OfFieldsIsUnknown) {
    const auto run = integrate(Model::load("abc-flow"), method("gauss(2)"), {.step = 0.01, .steps = 20});
    EXPECT_TRUE(std::isnan(run.balance.max_error));
}

TEST(EnergyBalance, IsNotMonitoredWhereNothingIs) {
    const auto run = integrate(Model::load("damped-spherical-pendulum"), method("spark(3)"),
                               {.step = 0.05, .steps = 20, .monitor = 0});
    EXPECT_TRUE(std::isnan(run.balance.max_error));
}

// The power is integrated over all nodes, whichever are monitored.
TEST(EnergyBalance, DoesNotDependOnTheMonitor) {
    const auto model = Model::load("damped-spherical-pendulum");
    const auto each = integrate(model, method("spark(3)"), {.step = 0.05, .steps = 100});
    const auto tenth = integrate(model, method("spark(3)"), {.step = 0.05, .steps = 100, .monitor = 10});
    EXPECT_LE(tenth.balance.max_error, each.balance.max_error);
    EXPECT_GT(tenth.balance.max_error, 0.05 * each.balance.max_error);
}

// H contains t: 1/2 p^2 + (1 + 0.3 sin t) x^2/2.
TEST(EnergyBalance, IncludesExplicitTime) {
    const auto model = Model::parse(R"(
name = "parametric"
[coordinates]
q = ["x"]
[dynamics]
mass = 1.0
potential = "(1 + 0.3*sin(t))*x^2/2"
[initial]
q = [1.0]
v = [0.0]
)",
                                    "parametric.toml");
    const auto run = integrate(model, method("gauss(3)"), {.step = 0.05, .duration = 20});
    EXPECT_GT(run.energy.max_error, 0.1);
    EXPECT_LT(run.balance.max_error, 1e-8);
}

}  // namespace
}  // namespace libration
