// What the symmetric multistep methods of Console, Hairer and Lubich (2013) do on the examples of their section 5.
#include "trend.hpp"

#include "analysis/parasitic.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace libration {
namespace {

constexpr const char* method_a = "multistep(6, -0.7, 0.4)";
constexpr const char* method_b = "multistep(6, -0.1, 0.4)";
constexpr const char* order_8 = "multistep(8, -0.8, -0.4, 0.7)";

// The known figures have three digits.
void expect_digits(double found, double known) { EXPECT_NEAR(found, known, 0.006 * known); }

// Triple pendulum on [0, 100]: known from an independent program with an exact starting procedure.
TEST(ConsoleFigures, method_a_keeps_the_energy_of_the_triple_pendulum) {
    const std::array steps{0.04, 0.02, 0.01, 0.005};
    const std::array known{2.56e-4, 1.34e-6, 1.22e-8, 1.74e-10};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto run =
            integrate(Model::load("triple-pendulum"), method(method_a), {.step = steps[i], .duration = 100.0});
        EXPECT_EQ(run.status, RunStatus::completed);
        expect_digits(run.energy.max_error, known[i]);
        EXPECT_LT(run.constraint.max, 2e-15);
        EXPECT_LT(run.constraint.hidden_max, 2e-14);
    }
}

// Errors of q at t = 5 against the reference: order 6.
TEST(ConsoleFigures, method_a_converges_with_order_six) {
    const std::array<double, 6> reference{-0.6614391300025347, -0.7499988515334474, -1.509065946345127,
                                          -1.28059170883264,   -2.120820411671257,  -2.071639415455661};
    const std::array steps{0.04, 0.02, 0.01, 0.005};
    const std::array known{6.1e-8, 9.3e-10, 1.4e-11, 2.2e-13};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto run =
            integrate(Model::load("triple-pendulum"), method(method_a), {.step = steps[i], .duration = 5.0});
        double error = 0;
        for (std::size_t j = 0; j < 6; ++j) {
            error = std::max(error, std::abs(run.q[j] - reference[j]));
        }
        EXPECT_NEAR(error, known[i], 0.05 * known[i] + 1e-14) << steps[i];  // two digits, and round-off
    }
}

// Twenty times as long: bounded, and no trend. Known: 2.43e-8.
TEST(ConsoleFigures, method_a_has_no_drift) {
    const auto run = integrate(Model::load("triple-pendulum"), method(method_a), {.step = 0.01, .duration = 2000.0});
    EXPECT_LT(run.energy.max_error, 3e-8);
}

// Round-off grows by 1.3146 a step until nothing is left, after about ln(1e16) / ln(1.3146) = 135 steps, whatever the
// step.
TEST(ConsoleFigures, method_b_explodes_at_the_same_step_whatever_its_size) {
    for (const double h : {0.01, 0.005, 0.0025, 0.001}) {
        const auto run = integrate(Model::load("triple-pendulum"), method(method_b, Doubts::accept),
                                   {.step = h, .steps = 200, .monitor = 1});
        ASSERT_EQ(run.status, RunStatus::failed) << h;
        EXPECT_GE(run.failure->step, 125) << h;
        EXPECT_LE(run.failure->step, 145) << h;
    }
}

TEST(ConsoleFigures, method_b_is_refused_with_the_reason_and_a_way_out) {
    const auto doubtful = method(method_b);  // without constraints it works
    try {
        (void)integrate(Model::load("triple-pendulum"), doubtful, {.step = 0.01, .steps = 10});
        FAIL();
    } catch (const std::exception& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("(13)"), std::string::npos) << text;
        EXPECT_NE(text.find("1.315"), std::string::npos) << text;
        EXPECT_NE(text.find("nearest good choice is multistep(6, "), std::string::npos) << text;
        EXPECT_NE(text.find("`force`"), std::string::npos) << text;
    }
    const auto free = integrate(Model::load("kepler"), doubtful, {.step = 0.01, .steps = 10000});
    EXPECT_EQ(free.status, RunStatus::completed);
    EXPECT_LT(free.energy.max_error, 1e-6);
}

// Largest errors of the first component of the angular momentum, and means over tenths of the time.
struct MomentumError final : Observer {
    explicit MomentumError(std::int64_t steps) : tenth(steps / 10) {}
    void see(const Sample& s) override {
        const double L = s.q[1] * s.p[2] - s.q[2] * s.p[1] + s.q[4] * s.p[5] - s.q[5] * s.p[4];
        initial = s.step == 0 ? L : initial;
        largest = std::max(largest, std::abs(L - initial));
        if (s.step < 10 * tenth) {
            means[static_cast<std::size_t>(s.step / tenth)] += (L - initial) / static_cast<double>(tenth);
        }
    }
    std::int64_t tenth;
    double initial = 0, largest = 0;
    std::array<double, 10> means{};
};

// Known: 3.99e-4 over a time of 1e6, of which 3.68e-4 are reached by T = 200.
TEST(ConsoleFigures, order_8_keeps_the_angular_momentum_of_two_bodies_on_the_sphere) {
    MomentumError watch(100000);
    const auto run = integrate(Model::load("two-body-sphere"), method(order_8),
                               {.step = 0.02, .steps = 100000, .monitor = 0}, watch);
    EXPECT_EQ(run.status, RunStatus::completed);
    EXPECT_GT(watch.largest, 3.6e-4);
    EXPECT_LT(watch.largest, 4.0e-4);
    // Without drift the means scatter by far less than the range; a drift would set the last far apart from the first.
    for (const double mean : watch.means) {
        EXPECT_LT(std::abs(mean - watch.means[0]), 0.02 * watch.largest);
    }
}

TEST(ConsoleFigures, order_8_needs_160000_forces_for_the_energy_of_two_bodies) {
    const auto run = integrate(Model::load("two-body-sphere"), method(order_8), {.step = 0.0125, .duration = 2000.0});
    EXPECT_NEAR(run.energy.max_error, 7.0e-6, 0.05e-6);
    EXPECT_GE(run.evaluations.force, 160000);
    EXPECT_LE(run.evaluations.force, 160000 + 400);  // and what the start costs
    EXPECT_LE(run.evaluations.factorizations, 160000 + 20);
}

// Heavy top: the largest error of Q(10) D^(1/2), known from an independent program.
struct TopRow {
    const char* spec;
    std::array<double, 4> errors;  // h = 0.1, 0.05, 0.025, 0.0125; 0: not known
};

std::vector<double> top_position(const char* spec, double h) {
    const auto run = integrate(Model::load("heavy-top"), method(spec), {.step = h, .duration = 10.0});
    EXPECT_EQ(run.status, RunStatus::completed) << spec << " " << h;
    const std::array<double, 3> root_d{std::sqrt(0.25), std::sqrt(0.75), std::sqrt(1.25)};
    std::vector<double> x(run.q);
    for (std::size_t j = 0; j < x.size(); ++j) {
        x[j] *= root_d[j % 3];
    }
    return x;
}

TEST(ConsoleFigures, heavy_top_has_orders_2_4_6_8) {
    const std::array rows{TopRow{"multistep(2)", {2.6e-2, 6.5e-3, 1.6e-3, 4.1e-4}},
                          TopRow{"multistep(4, -0.2)", {1.9e-3, 1.16e-4, 7.3e-6, 4.6e-7}},
                          TopRow{method_a, {2.6e-4, 3.55e-6, 5.4e-8, 8.4e-10}},
                          TopRow{order_8, {1.1e-4, 1.4e-7, 5.0e-10, 0}},
                          TopRow{"rattle", {9.5e-2, 2.3e-2, 5.7e-3, 1.4e-3}}};
    const auto exact = top_position("lobatto(8)", 0.02);
    for (const auto& row : rows) {
        double h = 0.1;
        for (const double known : row.errors) {
            const auto found = top_position(row.spec, h);
            double error = 0;
            for (std::size_t j = 0; j < found.size(); ++j) {
                error = std::max(error, std::abs(found[j] - exact[j]));
            }
            if (known > 0) {
                EXPECT_NEAR(error, known, 0.05 * known) << row.spec << " " << h;
            } else {
                EXPECT_LT(error, 2e-11) << row.spec << " " << h;
            }
            h /= 2;
        }
    }
}

// Known: 2.3e-10 over T = 1e4 for k = 8 without slope; a tenth of that time here.
TEST(ConsoleFigures, heavy_top_has_no_drift) {
    conformance::Trend trend;
    const auto run = integrate(Model::load("heavy-top"), method(order_8), {.step = 0.02, .duration = 1000.0}, trend);
    EXPECT_NEAR(run.energy.max_error, 2.3e-10, 0.3e-10);
    EXPECT_LT(std::abs(trend.slope()) * 1000, 1e-12);
}

// Near-invariants: nearly constant for (A), growing by 1.3146 a step for (B).
TEST(ConsoleFigures, parasitic_components_stay_or_grow_as_the_roots_say) {
    const auto model = Model::load("triple-pendulum");
    const auto good = watch_parasitic(model, parse_spec(method_a), {.step = 0.01, .steps = 20000, .rows = 10});
    const auto fine = watch_parasitic(model, parse_spec(method_a), {.step = 0.005, .steps = 40000, .rows = 10});
    EXPECT_TRUE(good.failure.empty()) << good.failure;
    ASSERT_EQ(good.components.size(), 4U);
    const auto largest = [](const std::vector<double>& sizes, std::size_t first, std::size_t last) {
        return *std::max_element(sizes.begin() + static_cast<std::ptrdiff_t>(first),
                                 sizes.begin() + static_cast<std::ptrdiff_t>(last));
    };
    for (std::size_t i = 0; i < 4; ++i) {
        const auto& sizes = good.components[i].largest;
        EXPECT_NEAR(good.components[i].modulus, 1, 1e-12);
        ASSERT_EQ(sizes.size(), 10U);
        EXPECT_LT(largest(sizes, 5, 10), 1.5 * largest(sizes, 0, 5)) << "it grows";
    }
    // Of the size of the starting errors and of what the filter leaves, both h^8: 256 with some room.
    EXPECT_GT(largest(good.components[0].largest, 0, 10), 64 * largest(fine.components[0].largest, 0, 10));
    const auto bad = watch_parasitic(model, parse_spec(method_b), {.step = 0.01, .steps = 120, .rows = 12});
    double growth = 0;
    for (const auto& component : bad.components) {
        if (component.modulus > 1.1) {
            EXPECT_FALSE(component.of_positions);
            const auto& sizes = component.largest;
            growth = std::max(growth, std::pow(sizes.back() / sizes[sizes.size() - 5], 1.0 / 40));
        }
    }
    EXPECT_NEAR(growth, 1.3146, 0.02);
}

}  // namespace
}  // namespace libration
