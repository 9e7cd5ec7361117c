// What the monitors measure, against closed forms; and what they know after a stop.
#include "interruption.hpp"

#include "integrate/thinned_series.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace libration {
namespace {

// H = p^2 / (2 m) + m omega^2 q^2 / 2, from rest at q = 1.
Model oscillator(double mass, double omega) {
    ModelBuilder builder("oscillator");
    const auto q = builder.coordinates({"x"});
    return builder.mass(mass)
        .potential(Expression(mass * omega * omega / 2) * q[0] * q[0])
        .initial_position({1})
        .initial_velocity({0})
        .build();
}

TEST(Monitors, measure_the_energies_of_an_oscillator_and_the_angle_of_a_step) {
    const double mass = 3, omega = 2, h = 0.01, energy = mass * omega * omega / 2;
    const auto run = integrate(oscillator(mass, omega), method("verlet"), {.step = h, .duration = 10});
    const double error = 2 * run.energy.max_error + energy * h * h;  // nodes do not meet the extremes
    EXPECT_NEAR(run.energy_scale.kinetic, energy, error);
    EXPECT_NEAR(run.energy_scale.potential_high, energy, 1e-12 * energy);
    EXPECT_NEAR(run.energy_scale.potential_low, 0, error);
    // |dp dv| = m (omega^2 q h)^2 (1 + O(h)), at most where q = 1; |p v| at most m omega^2.
    EXPECT_NEAR(run.turn, h * omega, 0.02 * h * omega);
}

TEST(Monitors, measure_a_mass_that_depends_on_coordinates_and_a_whole_hamiltonian) {
    ModelBuilder whole("whole");
    const auto q = whole.coordinates({"x"});
    const auto p = symbol("p_x");
    const auto model =
        whole.hamiltonian(p * p / 2 + q[0] * q[0] / 2).initial_position({1}).initial_momentum({0}).build();
    const auto run = integrate(model, method("lobatto(2)"), {.step = 0.01, .duration = 10});
    EXPECT_NEAR(run.energy_scale.kinetic, 1, 1e-3);  // p H_p, twice T
    EXPECT_NEAR(run.energy_scale.potential_low, -0.5, 1e-3);
    EXPECT_NEAR(run.energy_scale.potential_high, 0.5, 1e-3);
    // At rest where the mass is 2 and the force 1: v = h/2 and p = h after one step.
    ModelBuilder heavier("heavier");
    const auto x = heavier.coordinates({"x"});
    const auto v = symbol("v_x");
    const auto first = integrate(
        heavier.kinetic(x[0] * v * v / 2).potential(-x[0]).initial_position({2}).initial_velocity({0}).build(),
        method("rattle"), {.step = 1e-3, .steps = 1});
    EXPECT_NEAR(first.energy_scale.kinetic, 1e-6 / 4, 1e-12);
    EXPECT_EQ(first.energy_scale.potential_high, -2);
    EXPECT_EQ(first.turn, 1);
}

TEST(Monitors, know_nothing_where_nothing_was_monitored) {
    const auto model = Model::load("pendulum");
    const auto none = integrate(model, method("rattle"), {.step = 0.01, .steps = 10, .monitor = 0});
    EXPECT_TRUE(std::isnan(none.energy_scale.kinetic) && std::isnan(none.energy_scale.potential_low));
    EXPECT_TRUE(std::isnan(none.turn));
    EXPECT_TRUE(none.energy_history.t.empty());
    const auto some = integrate(model, method("rattle"), {.step = 0.01, .steps = 10, .monitor = 3});
    EXPECT_GT(some.energy_scale.kinetic, 0);
    EXPECT_TRUE(std::isnan(some.turn));
    EXPECT_EQ(some.energy_history.t, (std::vector{0.0, 3 * 0.01, 6 * 0.01, 9 * 0.01}));
}

TEST(Monitors, keep_a_history_of_at_most_1024_energies_on_a_lattice_of_nodes) {
    Recorder recorder;
    const auto run = integrate(Model::load("pendulum"), method("rattle"), {.step = 0.01, .steps = 2100}, recorder);
    const auto& history = run.energy_history;
    EXPECT_EQ(history.stride, 4);
    ASSERT_EQ(history.t.size(), 2100U / 4 + 1);
    for (std::size_t k = 0; k < history.t.size(); ++k) {
        EXPECT_EQ(history.t[k], recorder.t[4 * k]);
        EXPECT_EQ(history.error[k], recorder.energy[4 * k] - recorder.energy[0]);
    }
}

TEST(Monitors, measure_the_same_after_a_stop_when_the_history_was_thinned) {
    const auto model = Model::load("pendulum");
    const auto chosen = method("shake");
    for (const std::int64_t monitor : {1, 2}) {
        const IntegrationOptions options{.step = 0.01, .steps = 3000, .monitor = monitor};
        const auto whole = without_times(integrate(model, chosen, options));
        for (const std::int64_t at : {1023, 1024, 1025, 2047, 2048, 2049, 2999}) {
            StopAt stop(at);
            LastCheckpoint checkpoint;
            Integration first(model, chosen, options);
            first.observe(stop);
            first.stop_on(stop.stop);
            first.checkpoint_to(checkpoint);
            EXPECT_EQ(first.run().steps, at);
            Integration second(model, chosen, options);
            second.restore(checkpoint.bytes);
            EXPECT_EQ(without_times(second.run()), whole) << "stopped at " << at;
        }
    }
}

// The arrays that earlier versions did not save, taken out of a checkpoint.
std::vector<std::byte> of_a_former_version(const std::vector<std::byte>& bytes) {
    std::vector<std::byte> result;
    std::uint64_t numbers[2];
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t first = at;
        std::memcpy(&numbers[0], &bytes[at], 8);
        const std::string name(reinterpret_cast<const char*>(&bytes[at + 8]), numbers[0]);
        std::memcpy(&numbers[1], &bytes[at + 8 + name.size()], 8);
        at += 16 + name.size() + 8 * numbers[1];
        if (name != "scale" && !name.starts_with("series_")) {
            result.insert(result.end(), bytes.begin() + static_cast<std::ptrdiff_t>(first),
                          bytes.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }
    return result;
}

TEST(Monitors, of_a_run_that_an_earlier_version_began_lack_what_it_did_not_measure) {
    const auto model = Model::load("pendulum");
    LastCheckpoint checkpoint;
    Integration first(model, method("rattle"), {.step = 0.01, .steps = 10});
    first.checkpoint_to(checkpoint);
    first.run();
    Integration second(model, method("rattle"), {.step = 0.01, .steps = 20});
    const auto former = of_a_former_version(checkpoint.bytes);
    ASSERT_LT(former.size(), checkpoint.bytes.size());
    second.restore(former);
    const auto run = second.run(), whole = integrate(model, method("rattle"), {.step = 0.01, .steps = 20});
    EXPECT_EQ(run.energy.max_error, whole.energy.max_error);
    EXPECT_EQ(run.q, whole.q);
    EXPECT_TRUE(std::isnan(run.energy_scale.kinetic) && std::isnan(run.energy_scale.potential_low) &&
                std::isnan(run.energy_scale.potential_high) && std::isnan(run.turn));
    EXPECT_TRUE(run.energy_history.t.empty());
}

TEST(ThinnedSeries, keeps_the_multiples_of_its_stride) {
    ThinnedSeries series;
    for (std::int64_t n = 0; n < 100000; ++n) {
        if (series.wants(n)) {
            series.add(n, {static_cast<double>(n), -static_cast<double>(n)});
        }
        ASSERT_LE(series.t().size(), ThinnedSeries::room);
        ASSERT_EQ(series.t().size(), static_cast<std::size_t>(n / series.stride() + 1));
        ASSERT_EQ(series.t().back(), static_cast<double>(n / series.stride() * series.stride()));
        ASSERT_EQ(series.values().back(), -series.t().back());
    }
    EXPECT_EQ(series.stride(), 128);
}

}  // namespace
}  // namespace libration
