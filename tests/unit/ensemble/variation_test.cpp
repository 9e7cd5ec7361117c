// Distributions and statistics.
#include <libration/ensemble/ensemble.hpp>
#include <libration/ensemble/variation.hpp>

#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

std::vector<double> values(const std::string& text, std::size_t count, std::uint64_t seed = 0) {
    return draw_all({read_variation(text)}, seed, count).values;
}

TEST(Variation, depends_on_seed_trajectory_and_name_alone) {
    const auto few = values("a = uniform(0, 1)", 10), many = values("a = uniform(0, 1)", 1000);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
    EXPECT_NE(few, values("a = uniform(0, 1)", 10, 1));
    EXPECT_NE(few, values("b = uniform(0, 1)", 10));
    const auto both = draw_all({read_variation("b = normal(0, 1)"), read_variation("a = uniform(0, 1)")}, 0, 10);
    for (std::size_t k = 0; k < 10; ++k) {
        EXPECT_EQ(both.at(k, 1), few[k]);
    }
    // Files of one version can be read by the next: these bits stay.
    EXPECT_EQ(draw(read_variation("a = uniform(0, 1)"), {.seed = 1, .trajectory = 2, .count = 3}),
              draw(read_variation("a = uniform(0, 1)"), {.seed = 1, .trajectory = 2, .count = 300}));
}

// Means and deviations within five standard errors of 100,000 draws.
TEST(Variation, has_the_moments_of_its_distribution) {
    const std::size_t n = 100'000;
    const auto moments = [&](const std::string& text) {
        auto all = values(text, n);
        return statistics_of(all);
    };
    const auto uniform = moments("a = uniform(-1, 3)");
    EXPECT_NEAR(uniform.mean, 1, 5 * 1.155 / std::sqrt(n));
    EXPECT_NEAR(uniform.deviation, 4 / std::sqrt(12.0), 0.01);
    EXPECT_GE(uniform.smallest, -1);
    EXPECT_LE(uniform.largest, 3);
    const auto normal = moments("a = normal(2, 0.5)");
    EXPECT_NEAR(normal.mean, 2, 5 * 0.5 / std::sqrt(n));
    EXPECT_NEAR(normal.deviation, 0.5, 5 * 0.5 / std::sqrt(2 * n));
    EXPECT_NEAR(normal.quantiles[0], 2 - 1.6449 * 0.5, 0.02);
    EXPECT_NEAR(normal.quantiles[4], 2 + 1.6449 * 0.5, 0.02);
    const auto logarithmic = moments("a = log_uniform(0.01, 100)");
    EXPECT_NEAR(std::log(logarithmic.quantiles[2]), 0, 0.1);
    EXPECT_GE(logarithmic.smallest, 0.01);
    EXPECT_LE(logarithmic.largest, 100);
    EXPECT_EQ(values("a = linspace(1, 2)", 5), (std::vector<double>{1, 1.25, 1.5, 1.75, 2}));
    EXPECT_EQ(values("a = linspace(2, 1)", 1), (std::vector<double>{2}));
}

TEST(Variation, takes_constant_expressions) {
    const auto variation = read_variation("  v_x =normal( -2*(1+1), sqrt(4) ) ");
    EXPECT_EQ(variation.name, "v_x");
    EXPECT_EQ(variation.distribution.first, -4);
    EXPECT_EQ(variation.distribution.second, 2);
    EXPECT_EQ(read_variation(to_string(variation)).distribution.second, 2);
}

TEST(Variation, refuses_what_is_no_distribution) {
    for (const char* text :
         {"", "a", "a = ", "a = 3", "= uniform(0, 1)", "a = uniform", "a = uniform(1)", "a = uniform(0, 1, 2)",
          "a = uniform(1, 0)", "a = unifrom(0, 1)", "a = uniform(0, b)", "a = uniform(0, 1/0)", "a = uniform(0,)",
          "a = normal(0, -1)", "a = log_uniform(0, 1)", "a = uniform(-1e308, 1e308)", "a = uniform(0, 1"}) {
        EXPECT_THROW(read_variation(text), InputError) << text;
    }
}

TEST(NodeStatistics, are_those_of_the_values) {
    std::vector<double> five{5, 1, 4, 2, 3};
    const auto s = statistics_of(five);
    EXPECT_EQ(s.count, 5U);
    EXPECT_EQ(s.mean, 3);
    EXPECT_EQ(s.deviation, std::sqrt(2.5));
    EXPECT_EQ(s.smallest, 1);
    EXPECT_EQ(s.largest, 5);
    EXPECT_EQ(s.quantiles, (std::array<double, 5>{1 + 0.2 * 1, 2, 3, 4, 4 + 0.8 * 1}));
    std::vector<double> equal(1000, 0.1);
    EXPECT_EQ(statistics_of(equal).mean, 0.1);
    EXPECT_EQ(statistics_of(equal).deviation, 0);
    std::vector<double> one{7}, none, bad{1, NAN};
    EXPECT_EQ(statistics_of(one).quantiles[4], 7);
    EXPECT_TRUE(std::isnan(statistics_of(one).deviation));
    EXPECT_TRUE(std::isnan(statistics_of(none).mean));
    EXPECT_TRUE(std::isnan(statistics_of(bad).quantiles[0]));
}

}  // namespace
}  // namespace libration
