// Ticks: round numbers, all of them, none outside, labels that mean what they say.
#include "plot/axis_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace libration::plot {
namespace {

std::vector<std::string> labels(const Ticks& ticks) {
    std::vector<std::string> result;
    for (const auto& tick : ticks.major) {
        result.push_back(tick.label.power.empty() ? tick.label.text : tick.label.text + "^" + tick.label.power);
    }
    return result;
}

using Words = std::vector<std::string>;

TEST(Ticks, of_a_linear_axis_are_1_2_or_5_times_a_power_of_ten) {
    EXPECT_EQ(labels(ticks_for({.u_low = 0, .u_high = 1}, 5)), (Words{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
    EXPECT_EQ(labels(ticks_for({.u_low = -3, .u_high = 12}, 5)), (Words{"0", "5", "10"}));
    EXPECT_EQ(labels(ticks_for({.u_low = -0.4, .u_high = 0.4}, 8)),
              (Words{"\u22120.4", "\u22120.3", "\u22120.2", "\u22120.1", "0", "0.1", "0.2", "0.3", "0.4"}));
    EXPECT_EQ(labels(ticks_for({.u_low = 990, .u_high = 1010}, 4)), (Words{"990", "995", "1000", "1005", "1010"}));
}

TEST(Ticks, stand_at_the_value_that_their_label_names) {
    const Scale scale{.u_low = 1.3, .u_high = 7.9};
    for (const auto& tick : ticks_for(scale, 6).major) {
        EXPECT_NEAR(tick.fraction, (std::stod(tick.label.text) - 1.3) / 6.6, 1e-14);
    }
}

TEST(Ticks, with_very_large_or_small_numbers_share_a_power_of_ten) {
    const auto small = ticks_for({.u_low = -2e-8, .u_high = 6e-8}, 4);
    EXPECT_EQ(small.common_power, "\u22128");
    EXPECT_EQ(labels(small), (Words{"\u22122", "0", "2", "4", "6"}));
    const auto large = ticks_for({.u_low = 0, .u_high = 2.5e6}, 5);
    EXPECT_EQ(large.common_power, "6");
    EXPECT_EQ(labels(large), (Words{"0", "0.5", "1.0", "1.5", "2.0", "2.5"}));
    EXPECT_EQ(ticks_for({.u_low = 0, .u_high = 99999}, 5).common_power, "");
}

TEST(Ticks, of_a_logarithmic_axis_are_powers_of_ten_with_digits_between) {
    const auto ticks = ticks_for({.logarithmic = true, .u_low = -2, .u_high = 1}, 5);
    EXPECT_EQ(labels(ticks), (Words{"10^\u22122", "10^\u22121", "10^0", "10^1"}));
    ASSERT_EQ(ticks.minor.size(), 3u * 8u);
    EXPECT_NEAR(ticks.minor[0], std::log10(2.0) / 3, 1e-15);
    EXPECT_NEAR(ticks.minor[23], (2 + std::log10(9.0)) / 3, 1e-15);
}

TEST(Ticks, of_a_long_logarithmic_axis_leave_out_decades) {
    const auto ticks = ticks_for({.logarithmic = true, .u_low = -16, .u_high = 0}, 6);
    EXPECT_EQ(labels(ticks), (Words{"10^\u221215", "10^\u221210", "10^\u22125", "10^0"}));
    EXPECT_EQ(ticks.minor.size(), 13u) << "the other decades from -16 to 0";
}

TEST(Ticks, of_a_short_logarithmic_axis_are_digits_or_linear) {
    const auto digits = ticks_for({.logarithmic = true, .u_low = std::log10(0.15), .u_high = std::log10(6.0)}, 5);
    EXPECT_EQ(labels(digits), (Words{"0.2", "0.5", "1", "2", "5"}));
    const auto far = ticks_for({.logarithmic = true, .u_low = -8, .u_high = -7.2}, 5);
    EXPECT_EQ(labels(far), (Words{"10^\u22128", "2\u00B710^\u22128", "5\u00B710^\u22128"}));
    const Scale narrow{.logarithmic = true, .u_low = std::log10(2.1), .u_high = std::log10(2.4)};
    const auto linear = ticks_for(narrow, 3);
    EXPECT_EQ(labels(linear), (Words{"2.1", "2.2", "2.3", "2.4"}));
    EXPECT_NEAR(linear.major[1].fraction, std::log(2.2 / 2.1) / std::log(2.4 / 2.1), 1e-12);
}

TEST(Ticks, are_few_and_inside_on_any_axis) {
    for (const double size : {1e-280, 1e-9, 1.0, 7e4, 1e299}) {
        for (const double start : {-1.0, -0.37, 0.0, 0.81}) {
            for (int wanted = 2; wanted < 12; ++wanted) {
                const auto ticks = ticks_for({.u_low = start * size, .u_high = (start + 1) * size}, wanted);
                EXPECT_GE(ticks.major.size(), 1u);
                // A step is at least span/wanted: at most wanted + 1 ticks. It is at most 2.5 times that.
                EXPECT_LE(ticks.major.size(), static_cast<std::size_t>(wanted) + 1);
                for (const auto& tick : ticks.major) {
                    EXPECT_GE(tick.fraction, -1e-8);
                    EXPECT_LE(tick.fraction, 1 + 1e-8);
                }
            }
        }
    }
}

TEST(Scale, spans_the_data_with_a_margin) {
    const std::vector<double> data = {10, 20};
    const Scale scale = scale_for({}, data, 0.1, "x");
    EXPECT_DOUBLE_EQ(scale.u_low, 9);
    EXPECT_DOUBLE_EQ(scale.u_high, 21);
    const Scale half = scale_for({.low = 0}, data, 0.1, "x");
    EXPECT_EQ(half.u_low, 0);
    EXPECT_DOUBLE_EQ(half.u_high, 21);
}

TEST(Scale, of_values_that_differ_by_round_off_does_not_magnify_it) {
    const std::vector<double> data = {1, 1 + 1e-15};
    const Scale scale = scale_for({}, data, 0.04, "y");
    EXPECT_LT(scale.u_low, 0.6);
    EXPECT_GT(scale.u_high, 1.4);
}

}  // namespace
}  // namespace libration::plot
