// Defaults, nearest good choices and the search.
#include "coefficients/multistep_search.hpp"
#include "coefficients/multistep_stability.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace libration {
namespace {

std::vector<double> doubles(const std::vector<Wide>& values) {
    std::vector<double> result;
    for (const Wide x : values) {
        result.push_back(high(x));
    }
    return result;
}

double distance(const std::vector<double>& x, const std::vector<double>& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return std::sqrt(sum);
}

TEST(MultistepSearch, defaults_are_well_inside_of_the_region) {
    EXPECT_TRUE(default_parameters(2).empty());
    for (const int k : {4, 6, 8, 10}) {
        const auto a = default_parameters(k);
        ASSERT_EQ(a.size(), static_cast<std::size_t>(k / 2 - 1));
        const auto stability = multistep_stability(multistep_pair(a));
        EXPECT_TRUE(stability.good()) << k;
        EXPECT_GE(std::min(stability.rho.margin, stability.sigma.margin), 0.29) << k;
        EXPECT_LE(stability.sigma_response, 6) << k;
        EXPECT_GE(stability.periodicity, 0.5) << k;
    }
    EXPECT_THROW(default_parameters(12), InputError);
    EXPECT_THROW(default_parameters(5), InputError);
}

TEST(MultistepSearch, finds_nothing_much_better_than_the_defaults) {
    for (const int k : {4, 6, 8, 10}) {
        const auto found = search_multistep(k);
        ASSERT_FALSE(found.empty()) << k;
        const auto standard = multistep_rating(doubles(default_parameters(k)));
        ASSERT_TRUE(standard.has_value());
        EXPECT_GE(standard->merit, 0.95 * found.front().merit) << k;
        EXPECT_LE(standard->merit, 1.02 * found.front().merit) << "the search misses the default of " << k;
    }
}

TEST(MultistepSearch, results_are_good_sorted_and_repeatable) {
    for (const int k : {6, 10}) {
        const auto found = search_multistep(k, 3);
        const auto again = search_multistep(k, 3);
        ASSERT_EQ(found.size(), again.size());
        ASSERT_FALSE(found.empty());
        ASSERT_LE(found.size(), 6U);  // three, and the extremes
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_EQ(found[i].a, again[i].a);
            EXPECT_TRUE(std::is_sorted(found[i].a.begin(), found[i].a.end()));
            EXPECT_LE(found[i].merit, found[0].merit);
            if (found[i].note == "largest Omega") {
                EXPECT_GT(found[i].periodicity, found[0].periodicity);
            } else if (found[i].note == "smallest error constant") {
                EXPECT_LT(found[i].error_constant, found[0].error_constant);
            }
            // The figures of the search, in double, are those of the careful analysis.
            const std::vector<Wide> a(found[i].a.begin(), found[i].a.end());
            const auto pair = multistep_pair(a);
            const auto stability = multistep_stability(pair);
            EXPECT_TRUE(stability.good());
            EXPECT_NEAR(found[i].periodicity, stability.periodicity, 1e-9);
            EXPECT_NEAR(found[i].error_constant, high(pair.error_constant), 1e-9);
            EXPECT_NEAR(found[i].sigma_margin, stability.sigma.margin, 1e-9);
            EXPECT_NEAR(found[i].depth, stability.depth, 1e-9);
        }
    }
    EXPECT_THROW(search_multistep(5), InputError);
    EXPECT_THROW(search_multistep(2), InputError);
    EXPECT_THROW(search_multistep(most_searched_steps + 2), InputError);
}

TEST(MultistepSearch, the_merit_does_not_choose_the_boundary) {
    // Largest Omega of order 6, on the boundary of (13): fails on the triple pendulum at t = 207.
    const auto boundary = multistep_rating(std::vector<double>{-0.26, 0.66});
    ASSERT_TRUE(boundary.has_value());
    EXPECT_FALSE(boundary->good);
    const auto standard = multistep_rating(doubles(default_parameters(6)));
    EXPECT_GT(boundary->periodicity, standard->periodicity);
    EXPECT_LT(boundary->merit, standard->merit);
}

TEST(MultistepSearch, nearest_choice_is_good_and_near) {
    std::vector<std::vector<double>> good;
    for (int i = -99; i <= 99; ++i) {
        for (int j = -99; j <= 99; ++j) {
            const auto rating = multistep_rating(std::vector<double>{i / 100.0, j / 100.0});
            if (rating && rating->good) {
                good.push_back(rating->a);
            }
        }
    }
    for (const std::vector<double>& bad : {std::vector<double>{-0.1, 0.4}, {0.3, 0.3}, {1.5, 0}, {0.66, -0.26}}) {
        const auto nearest = nearest_good_parameters(bad);
        ASSERT_TRUE(nearest.has_value());
        const auto rating = multistep_rating(*nearest);
        ASSERT_TRUE(rating && rating->good);
        double least = 9;
        for (const auto& a : good) {
            least = std::min(least, distance(a, bad));
        }
        EXPECT_LE(distance(*nearest, bad), least + 0.01) << bad[0];
        const auto swapped = nearest_good_parameters(std::vector<double>{bad[1], bad[0]});
        ASSERT_TRUE(swapped.has_value());
        EXPECT_NEAR(distance(*swapped, {bad[1], bad[0]}), distance(*nearest, bad), 1e-12);
    }
    EXPECT_TRUE(nearest_good_parameters(std::vector<double>{0.1, 0.2, 0.3, 0.4}).has_value());
}

TEST(MultistepSearch, refusals_say_what_to_take_instead) {
    const auto refusal = [](std::vector<Wide> a, Wide beta = 0) { return multistep_refusal(multistep_pair(a, beta)); };
    EXPECT_EQ(refusal({-0.7, 0.4}), "");
    EXPECT_EQ(refusal({}), "");
    const auto grows = refusal({-0.1, 0.4});
    EXPECT_NE(grows.find("(13)"), std::string::npos);
    EXPECT_NE(grows.find("nearest good choice is multistep(6, "), std::string::npos);
    EXPECT_NE(refusal({0.3, 0.3}).find("(12) fails: a = 0.3 is given twice"), std::string::npos);
    EXPECT_NE(refusal({-1.0}).find("a = -1 is not between"), std::string::npos);
    EXPECT_NE(refusal({0.3}, 10).find("beta"), std::string::npos);
}

}  // namespace
}  // namespace libration
