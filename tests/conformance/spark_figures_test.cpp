// The figures of Jay (1998), section 10: Andrews' squeezing mechanism and the rigid pendulum on a stiff spring.
#include "trend.hpp"

#include <libration/analysis/certify.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

using conformance::Trend;

// ------------------------------------------------------------------------------------------------------ Andrews

// beta at t = 0.03 by two runs in quadruple precision that agree to 22 digits. The value of the IVP test set,
// 15.81077119629904, is off by 1.1e-9.
constexpr double beta = 15.81077119515370709711938730;

double error_of_beta(const char* spec, double h) {
    const auto run = integrate(Model::load("andrews"), method(spec),
                               {.step = h, .steps = static_cast<std::int64_t>(std::lround(0.03 / h))});
    EXPECT_EQ(run.status, RunStatus::completed) << spec;
    EXPECT_LT(run.constraint.max, 4e-16) << spec;
    EXPECT_LT(run.constraint.hidden_max, 1e-12) << spec;
    return std::abs(run.q[0] - beta);
}

// Known from an independent program, to half of their last digit.
TEST(SparkFigures, andrews_converges_with_order_2s_minus_2) {
    EXPECT_NEAR(error_of_beta("spark(2)", 2e-4), 1.328e-2, 5e-6);
    EXPECT_NEAR(error_of_beta("spark(2)", 1e-4), 3.311e-3, 5e-7);
    EXPECT_NEAR(error_of_beta("spark(2)", 5e-5), 8.272e-4, 5e-8);
    EXPECT_NEAR(error_of_beta("spark(2)", 2.5e-5), 2.068e-4, 5e-8);
    EXPECT_NEAR(error_of_beta("spark(2)", 1.25e-5), 5.169e-5, 5e-9);
    EXPECT_NEAR(error_of_beta("spark(3)", 2e-4), 1.453e-5, 5e-9);
    EXPECT_NEAR(error_of_beta("spark(3)", 1e-4), 9.150e-7, 5e-11);
    EXPECT_NEAR(error_of_beta("spark(3)", 5e-5), 5.730e-8, 5e-12);
    EXPECT_NEAR(error_of_beta("spark(3)", 2.5e-5), 3.583e-9, 2e-12);  // round-off of 1e-12 shows
    EXPECT_NEAR(error_of_beta("spark(3)", 1.25e-5), 2.235e-10, 5e-12);
    EXPECT_NEAR(error_of_beta("spark(4)", 2e-4), 2.784e-8, 5e-12);
    EXPECT_NEAR(error_of_beta("spark(4)", 1e-4), 4.267e-10, 2e-12);
    EXPECT_NEAR(error_of_beta("spark(4)", 5e-5), 6.80e-12, 2e-12);
}

// Figure 1: driven until t = 0.02, then free. Energy errors of the free phase to t = 5: 100,000 steps.
struct FreeMechanism final : Observer {
    void see(const Sample& sample) override {
        if (sample.t < 0.02 - 1e-9) {
            return;
        }
        if (trend.n == 0) {
            first = sample.energy;
        }
        trend.see(sample);
    }
    Trend trend;
    double first = 0;
};

// Bounds that hold for the long run hold for its beginning, too.
FreeMechanism expect_bounded_energy_of_the_free_mechanism(std::int64_t steps) {
    FreeMechanism free;
    const auto run = integrate(Model::load("andrews-free"), method("spark(3)"), {.step = 5e-5, .steps = steps}, free);
    EXPECT_EQ(run.status, RunStatus::completed);
    EXPECT_FALSE(run.energy.conserved);
    EXPECT_NEAR(free.first, 1.52905302283553679266, 1e-10);  // the energy at t = 0.02, known in quadruple precision
    EXPECT_GT(free.trend.low - free.first, -6e-9);
    EXPECT_LT(free.trend.high - free.first, 7.5e-9);
    return free;
}

TEST(SparkFigures, energy_of_the_free_mechanism_is_bounded) { expect_bounded_energy_of_the_free_mechanism(10'000); }

TEST(LongSparkFigures, energy_of_the_free_mechanism_has_no_trend) {
    const auto free = expect_bounded_energy_of_the_free_mechanism(100'000);
    // And the errors are there: order 4 at this step.
    EXPECT_LT(free.trend.low - free.first, -5e-9);
    EXPECT_GT(free.trend.high - free.first, 7e-9);
    EXPECT_LT(std::abs(free.trend.slope()), 3e-10);
}

// ----------------------------------------------------------------------------------------- the stiff spring pendulum

// 1/2 |v2|^2 + z2 less its initial value, over 800 steps of 0.12.
struct PendulumEnergy final : Observer {
    void see(const Sample& sample) override {
        Sample part = sample;
        part.energy = sample.observables[0];
        trend.see(part);
        last = part.energy + 1;
        after_100 = sample.step == 100 ? last : after_100;
    }
    Trend trend;
    double last = 0, after_100 = 0;
};

PendulumEnergy pendulum_energy(const Model& model) {
    PendulumEnergy energy;
    const auto run = integrate(model, method("spark(3)"), {.step = 0.12, .steps = 800}, energy);
    EXPECT_EQ(run.status, RunStatus::completed);
    EXPECT_LT(std::abs(run.q[0]), 1.5e-12);  // the spring gives way by nothing
    return energy;
}

// Figure 6. Figures of an independent program.
TEST(SparkFigures, stiff_spring_by_c_leaves_the_pendulum_its_energy) {
    const auto energy = pendulum_energy(Model::load("stiff-spring-pendulum"));
    EXPECT_LT(std::abs(energy.trend.slope()), 1e-9);
    EXPECT_NEAR(energy.trend.low + 1, -1.25391e-6, 5e-11);
    EXPECT_NEAR(energy.trend.high + 1, 7.25e-9, 1e-10);
    EXPECT_NEAR(energy.last, -2.7263e-7, 1e-10);
}

// Figure 5.
TEST(SparkFigures, all_by_c_damps_the_pendulum) {
    auto text = Model::load("stiff-spring-pendulum").text;
    const auto begin = text.find("[spark]"), end = text.find("[observables]");
    ASSERT_NE(begin, std::string::npos);
    text.replace(begin, end - begin,
                 "[spark]\nposition = \"C\"\nforce.slow = \"C\"\nforce.stiff = \"C\"\nforce.reaction = \"C\"\n"
                 "newton = \"full\"\n\n");
    const auto energy = pendulum_energy(Model::parse(text, "all-C"));
    EXPECT_NEAR(energy.trend.slope(), -8.866e-7, 1e-10);
    EXPECT_NEAR(energy.after_100, -1.1107e-5, 1e-9);
    EXPECT_NEAR(energy.last, -8.5677e-5, 1e-9);
}

// ---------------------------------------------------------------------------------------------------- certificates

Certificate certificate(const std::string& more) {
    const auto model = Model::parse(Model::load("double-pendulum").text + "\n" + more, "double-pendulum");
    return certify(method("spark(3)"), model, {.step = 0.25});
}

TEST(SparkFigures, the_certificate_says_symplectic_and_with_c_not) {
    const auto plain = certificate("");
    EXPECT_EQ(plain.finding("symplecticity").claimed, "yes");
    EXPECT_EQ(plain.finding("symplecticity").verdict, Verdict::confirmed);
    const auto damped = certificate("[spark]\nforce.potential = \"C\"\nforce.reaction = \"C\"\nposition = \"C\"\n");
    EXPECT_EQ(damped.finding("symplecticity").claimed, "no");
    EXPECT_EQ(damped.finding("symplecticity").verdict, Verdict::confirmed) << damped.finding("symplecticity").measured;
    EXPECT_TRUE(damped.measurement.symplecticity.is_clear());
    // What it keeps in any case.
    for (const auto* claim :
         {"order of q", "order of p", "order of lambda", "symmetry", "position residual", "hidden residual"}) {
        EXPECT_EQ(damped.finding(claim).verdict, Verdict::confirmed) << claim << ": " << damped.finding(claim).measured;
    }
}

// What C damps in one step, C* must enlarge on the way back: no digits are left to compare.
TEST(SparkFigures, symmetry_of_a_stiff_damper_is_not_measurable) {
    const auto model = Model::parse(R"toml(
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1
potential = "(x^2 + y^2)/2 + x^2*y"
[[forces]]
name = "damper"
class = "dissipative"
on = { x = "-1e6*v_x" }
[initial]
q = [0.2, 0.1]
v = [0.1, 0.3]
)toml",
                                    "stiff-damper");
    const auto found = certify(method("spark(2)"), model, {.step = 0.25, .work = 20'000});
    EXPECT_EQ(found.finding("symmetry").verdict, Verdict::not_measurable) << found.finding("symmetry").measured;
}

}  // namespace
}  // namespace libration
