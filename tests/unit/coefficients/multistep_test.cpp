// The pairs of Console, Hairer and Lubich, section 4.
#include "coefficients/multistep.hpp"

#include <gtest/gtest.h>

#include <array>

using namespace libration;

namespace {

constexpr double largest_error = 1e-30;

void expect_equal(std::span<const Wide> found, std::span<const Wide> expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_LT(static_cast<double>(wide_abs(found[i] - expected[i])), largest_error) << "coefficient " << i;
    }
}

// rho(e^x) / x^2 - sigma(e^x) as a series in x: the order condition, computed the other way round.
std::vector<Wide> defect(const MultistepPair& pair, std::size_t terms) {
    std::vector<Wide> series(terms);
    for (std::size_t j = 0; j < pair.rho.size(); ++j) {
        Wide power = 1;  // j^n / n!
        for (std::size_t n = 0; n < terms + 2; ++n) {
            if (n >= 2) {
                series[n - 2] += pair.rho[j] * power;
            }
            if (n < terms) {
                series[n] -= pair.sigma[j] * power;
            }
            power = power * static_cast<Wide>(j) / static_cast<Wide>(n + 1);
        }
    }
    return series;
}

}  // namespace

TEST(MultistepPair, order_two_is_the_central_difference) {
    const auto pair = multistep_pair({});
    expect_equal(pair.rho, std::array<Wide, 3>{1, -2, 1});
    expect_equal(pair.sigma, std::array<Wide, 3>{0, 1, 0});
    expect_equal(pair.momentum, std::array<Wide, 2>{Wide(1) / 2, Wide(1) / 2});
    EXPECT_NEAR(static_cast<double>(pair.error_constant), 1.0 / 12, 1e-16);
}

TEST(MultistepPair, has_the_order_and_the_error_constant) {
    for (const auto& a : std::vector<std::vector<Wide>>{
             {}, {-0.2}, {-0.7, 0.4}, {-0.8, -0.4, 0.7}, {-0.9, -0.5, 0.1, 0.8}, {-0.9, -0.5, 0.1, 0.6, 0.8}}) {
        for (const Wide beta : {Wide(0), Wide(1) / 8}) {
            const auto pair = multistep_pair(a, beta);
            const auto k = static_cast<std::size_t>(pair.k);
            const auto series = defect(pair, k + 1);
            Wide sum = 0;
            for (const auto& value : pair.sigma) {
                sum += value;
            }
            for (std::size_t n = 0; n < k; ++n) {
                EXPECT_LT(static_cast<double>(wide_abs(series[n])), 1e-26) << "k = " << k << ", x^" << n;
            }
            EXPECT_LT(static_cast<double>(wide_abs(series[k] / sum - pair.error_constant)), 1e-26);
            EXPECT_GT(static_cast<double>(wide_abs(pair.error_constant)), 1e-4);
        }
    }
}

TEST(MultistepPair, momentum_weights_are_those_of_the_paper) {
    const auto over = [](std::vector<Wide> values, int denominator) {
        for (auto& value : values) {
            value /= denominator;
        }
        return values;
    };
    const std::array<std::vector<Wide>, 4> expected{over({1, 1}, 2), over({-1, 7, 7, -1}, 12),
                                                    over({1, -8, 37, 37, -8, 1}, 60),
                                                    over({-3, 29, -139, 533, 533, -139, 29, -3}, 840)};
    std::vector<Wide> a;
    for (const auto& weights : expected) {
        expect_equal(multistep_pair(a).momentum, weights);
        a.push_back(Wide(static_cast<int>(a.size())) / 7);
    }
}

TEST(MultistepPair, of_rho_is_the_same) {
    const auto pair = multistep_pair(std::array<Wide, 2>{Wide(-7) / 10, Wide(4) / 10});
    const auto again = multistep_pair_of_rho(pair.rho);
    expect_equal(again.rho_tilde, pair.rho_tilde);
    expect_equal(again.sigma, pair.sigma);
}
