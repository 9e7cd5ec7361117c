// What is special to the implicit Runge-Kutta methods: identities, stiffness, round-off.
#include <libration/integrate/integrate.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

struct Trajectory final : Observer {
    void see(const Sample& sample) override {
        q.emplace_back(sample.q.begin(), sample.q.end());
        p.emplace_back(sample.p.begin(), sample.p.end());
        lowest = std::min(lowest, sample.energy);
        highest = std::max(highest, sample.energy);
    }
    std::vector<std::vector<double>> q, p;
    double lowest = 1e300, highest = -1e300;
};

Trajectory run(const char* spec, const Model& model, const IntegrationOptions& options) {
    Trajectory trajectory;
    EXPECT_EQ(integrate(model, method(spec), options, trajectory).status, RunStatus::completed) << spec;
    return trajectory;
}

double trajectory_distance(const Trajectory& a, const Trajectory& b) {
    double most = 0;
    for (std::size_t n = 0; n < a.q.size(); ++n) {
        for (std::size_t j = 0; j < a.q[n].size(); ++j) {
            most = std::max({most, std::abs(a.q[n][j] - b.q[n][j]), std::abs(a.p[n][j] - b.p[n][j])});
        }
    }
    return most;
}

// Both stages of IIIB with s = 2 are the midpoint, so is the one of Gauss. Regular motion, a thousand steps with
// round-off of 1e-16 on numbers of size one: 1e-13 at most. The trapezoidal rule, IIIA, is another method.
TEST(ImplicitMethods, midpoint_is_gauss_1_and_lobatto_b_2) {
    const auto model = Model::load("henon-heiles");
    const IntegrationOptions options{.step = 0.1, .steps = 1000};
    const auto midpoint = run("midpoint", model, options);
    EXPECT_LT(trajectory_distance(midpoint, run("gauss(1)", model, options)), 1e-13);
    EXPECT_LT(trajectory_distance(midpoint, run("lobatto-b(2)", model, options)), 1e-13);
    EXPECT_GT(trajectory_distance(midpoint, run("lobatto-a(2)", model, options)), 1e-5);
}

// f((z_0 + z_1)/2) = (f(z_0) + f(z_1))/2 if f is linear.
TEST(ImplicitMethods, the_trapezoidal_rule_is_the_midpoint_rule_on_linear_systems) {
    const auto model = Model::load("harmonic-oscillator");
    const IntegrationOptions options{.step = 0.1, .steps = 1000};
    EXPECT_LT(trajectory_distance(run("midpoint", model, options), run("lobatto-a(2)", model, options)), 1e-13);
}

// h omega = 100. The formula keeps quadratic invariants. A stage is known to 1e-16 of the amplitude and enters the step
// times h omega: 1e-14, so 2e-14 of the energy; a thousand random steps make 7e-13 of that, of which four times are
// allowed.
TEST(ImplicitMethods, symplectic_methods_keep_the_energy_of_a_stiff_oscillator) {
    const auto model = Model::load("harmonic-oscillator", {{"omega", "1000"}});
    for (const auto* spec : {"midpoint", "lobatto-d(2)", "lobatto-d(3)"}) {
        const auto trajectory = run(spec, model, {.step = 0.1, .steps = 1000});
        EXPECT_LT(trajectory.highest - trajectory.lowest, 3e-12 * trajectory.highest) << spec;
    }
}

// The stability function of IIIC is the Pade approximation (s-2, s): |R(100 i)| is 2.0e-4 for s = 2 and 6.0e-4 for s =
// 3, and ten steps leave 6e-33 of the amplitude at most; round-off of a step, 1e-14, does not live longer.
TEST(ImplicitMethods, lobatto_c_damps_a_stiff_oscillator) {
    const auto model = Model::load("harmonic-oscillator", {{"omega", "1000"}});
    for (const auto* spec : {"lobatto-c(2)", "lobatto-c(3)"}) {
        const auto trajectory = run(spec, model, {.step = 0.1, .steps = 10});
        EXPECT_LT(std::abs(trajectory.q.back()[0]), 1e-15) << spec;
    }
}

// Nothing but round-off changes the energy, and it must do so like a random walk: stages are known to 6e-17 (root mean
// square), a step multiplies that by h and the energy by two more, 1.3e-17; the root of 400,000 steps makes 8e-15 of
// it, five times of which are 4e-14. Coefficients rounded to double drift to 2.2e-13.
TEST(ImplicitMethods, round_off_in_the_energy_does_not_drift) {
    const auto model = Model::load("harmonic-oscillator");
    for (const auto* spec : {"midpoint", "lobatto-d(3)"}) {
        const auto result = integrate(model, method(spec), {.step = 0.1, .steps = 400'000});
        EXPECT_EQ(result.status, RunStatus::completed);
        EXPECT_LT(result.energy.max_error, 4e-14 * result.energy.initial) << spec;
    }
}

TEST(ImplicitMethods, the_number_of_stages_is_checked) {
    for (const auto* spec : {"lobatto-a", "lobatto-a(1)", "lobatto-c(x)", "lobatto-d(2, 3)", "dirac-gauss(0)",
                             "dirac-gauss(2, 3)", "midpoint(2)"}) {
        EXPECT_THROW(method(spec), InputError) << spec;
    }
}

}  // namespace
}  // namespace libration
