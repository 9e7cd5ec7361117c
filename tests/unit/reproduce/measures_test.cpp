// Measures against runs and series whose numbers are known.
#include "reproduce/measures.hpp"

#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

const Model& oscillator() {
    static const Model model = Model::load("harmonic-oscillator");
    return model;
}

// The values f(t) at t = 0, 0.1, ..., 10, seen as the first coordinate.
template <class F>
double take(Measure measure, F f) {
    measure.name = "m";
    Gauge gauge(oscillator(), measure);
    for (int n = 0; n <= 100; ++n) {
        const double t = n / 10.0;
        const std::vector<double> q{f(t)}, p{0.0};
        gauge.see({.step = n, .t = t, .q = q, .p = p, .v = p, .energy = 2 + q[0]}, 2);
    }
    return gauge.value();
}

std::string coordinate() { return oscillator().coordinate_name(0); }

Measure measure(const std::string& what) { return {.take = what, .of = coordinate()}; }

TEST(Measures, take_what_they_say) {
    const auto line = [](double t) { return 3 - 0.5 * t; };
    EXPECT_DOUBLE_EQ(take(measure("largest"), line), 3);
    EXPECT_DOUBLE_EQ(take(measure("smallest"), line), -2);
    EXPECT_DOUBLE_EQ(take(measure("range"), line), 5);
    EXPECT_DOUBLE_EQ(take(measure("size"), line), 3);
    EXPECT_DOUBLE_EQ(take(measure("size"), [](double t) { return t - 12; }), 12);
    EXPECT_NEAR(take(measure("slope"), line), -0.5, 1e-14);
    EXPECT_NEAR(take(measure("mean"), line), 0.5, 1e-14);
    EXPECT_NEAR(take(measure("average"), line), 0.5, 1e-14);
    EXPECT_DOUBLE_EQ(take(measure("first"), line), 3);
    EXPECT_DOUBLE_EQ(take(measure("last"), line), -2);
    EXPECT_NEAR(take(measure("exponent"), [](double t) { return -7 * t * t; }), 2, 1e-12);
    EXPECT_NEAR(take(measure("first_time"), [](double t) { return t - 4.05; }), 4.1, 1e-14);
    EXPECT_EQ(take(measure("first_time"), [](double) { return -1.0; }), -1);
    EXPECT_EQ(take(measure("ever"), [](double t) { return t - 9.95; }), 1);
    EXPECT_EQ(take(measure("ever"), [](double t) { return t - 10.05; }), 0);
    // Of -1 and 1 in turn, 51 and 50 times.
    const double mean = 1 / 101.0;
    EXPECT_NEAR(take(measure("deviation"), [](double t) { return std::cos(10 * M_PI * t); }),
                std::sqrt(1 - mean * mean), 1e-12);
}

TEST(Measures, see_only_their_interval) {
    auto part = measure("largest");
    part.from = 2.0;
    part.to = 3.0;
    EXPECT_DOUBLE_EQ(take(part, [](double t) { return t; }), 3.0);
    part.take = "smallest";
    EXPECT_DOUBLE_EQ(take(part, [](double t) { return t; }), 2.0);
    part.from = 11.0;
    part.to = 12.0;
    EXPECT_THROW(take(part, [](double t) { return t; }), InputError);
}

TEST(Measures, find_the_nearest_node) {
    auto at = measure("value");
    at.at = 4.03;
    EXPECT_NEAR(take(at, [](double t) { return t; }), 4.0, 1e-15);
    at.at = 10.04;
    EXPECT_NEAR(take(at, [](double t) { return t; }), 10.0, 1e-15);
    at.at = 10.06;  // more than half a step behind the end
    EXPECT_THROW(take(at, [](double t) { return t; }), InputError);
}

TEST(Measures, know_the_energy) {
    EXPECT_DOUBLE_EQ(take({.take = "largest", .of = "energy_error"}, [](double t) { return t; }), 10);
    EXPECT_DOUBLE_EQ(take({.take = "largest", .of = "energy"}, [](double t) { return t; }), 12);
}

TEST(Measures, compare_with_a_reference) {
    Measure error{.take = "error", .of = "q", .reference = {"2.5"}};
    EXPECT_NEAR(take(error, [](double t) { return t; }), 7.5, 1e-14);
    error.at = 2.5;
    EXPECT_NEAR(take(error, [](double t) { return t; }), 0, 1e-14);
    error.reference = {"1", "2"};
    EXPECT_THROW(take(error, [](double t) { return t; }), InputError);
}

TEST(Measures, do_not_hide_what_is_no_number) {
    EXPECT_TRUE(std::isnan(take(measure("largest"), [](double t) { return t > 5 && t < 6 ? NAN : t; })));
}

TEST(Measures, refuse_unknown_quantities) {
    EXPECT_THROW(take({.take = "largest", .of = "nothing"}, [](double t) { return t; }), InputError);
}

}  // namespace
}  // namespace libration
