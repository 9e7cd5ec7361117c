// Every coefficient formula of section 4 of [CHL], as exact fractions and to the last digits of Wide.
#include "reports/multistep_report.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace libration {
namespace {

Rational fraction(std::int64_t numerator, std::int64_t denominator = 1) {
    return make_rational(numerator, denominator).value();
}

Rational plus(const Rational& x, const Rational& y) { return (x + y).value(); }
Rational times(const Rational& x, const Rational& y) { return (x * y).value(); }

// s_1, s_2, s_3: the elementary symmetric functions of up to three numbers.
std::vector<Rational> symmetric_functions(const std::vector<Rational>& a) {
    std::vector<Rational> s(4);
    s[0] = fraction(1);
    for (const auto& x : a) {
        for (std::size_t i = 3; i > 0; --i) {
            s[i] = plus(s[i], times(x, s[i - 1]));
        }
    }
    return s;
}

// (c_0 + c_1 s_1 + c_2 s_2 + c_3 s_3) / denominator
struct Formula {
    std::vector<std::int64_t> c;
    std::int64_t denominator;

    [[nodiscard]] Rational operator()(const std::vector<Rational>& s) const {
        Rational sum;
        for (std::size_t i = 0; i < c.size(); ++i) {
            sum = plus(sum, times(fraction(c[i]), s[i]));
        }
        return times(sum, fraction(1, denominator));
    }
};

// Coefficients of zeta^1 .. zeta^(k/2) of sigma. [CHL section 4.1]
std::vector<Formula> formulas(std::size_t k) {
    switch (k) {
        case 4: return {{{7, 1}, 6}, {{-1, 5}, 3}};
        case 6: return {{{79, 9, -1}, 60}, {{-14, 26, 6}, 15}, {{97, 7, 97}, 30}};
        default:
            return {{{10993, 1039, -95, 31}, 7560},
                    {{-2215, 2279, 473, -73}, 1260},
                    {{16661, 491, 8261, 2171}, 2520},
                    {{-8723, 7027, 1357, 12067}, 1890}};
    }
}

std::vector<std::vector<Rational>> samples() {
    const auto f = fraction;
    return {{f(0, 1)},
            {f(-1, 5)},
            {f(9, 10)},
            {f(-7, 10), f(2, 5)},
            {f(-1, 10), f(2, 5)},
            {f(1, 3), f(-5, 7)},
            {f(-4, 5), f(-2, 5), f(7, 10)},
            {f(0, 1), f(1, 2), f(-1, 2)},
            {f(1, 3), f(-2, 7), f(99, 100)}};
}

bool same_fraction(const std::optional<Rational>& x, const Rational& y) {
    return x && x->numerator == y.numerator && x->denominator == y.denominator;
}

Wide wide(const Rational& x) { return static_cast<Wide>(x.numerator) / static_cast<Wide>(x.denominator); }

// Coefficients are below 10, and their computation loses no more than three digits.
const Wide last_digits = Wide{1e4} * wide_epsilon;

TEST(MultistepExact, sigma_is_that_of_the_paper) {
    for (const auto& a : samples()) {
        const std::size_t k = 2 + 2 * a.size();
        const auto sigma = exact_multistep(a).sigma;
        ASSERT_EQ(sigma.size(), k + 1);
        EXPECT_TRUE(same_fraction(sigma.front(), fraction(0)) && same_fraction(sigma.back(), fraction(0)));
        const auto s = symmetric_functions(a);
        const auto expected = formulas(k);
        for (std::size_t j = 1; j <= k / 2; ++j) {
            EXPECT_TRUE(same_fraction(sigma[j], expected[j - 1](s))) << "k = " << k << ", power " << j;
            EXPECT_TRUE(same_fraction(sigma[k - j], expected[j - 1](s))) << "k = " << k << ", power " << k - j;
        }
    }
}

TEST(MultistepExact, wide_coefficients_are_the_fractions) {
    for (const auto& a : samples()) {
        std::vector<Wide> values;
        for (const auto& x : a) {
            values.push_back(wide(x));
        }
        const Rational beta = fraction(-1, 30);
        const auto pair = multistep_pair(values, wide(beta));
        const auto exact = exact_multistep(a, beta);
        const auto compare = [](const std::vector<Wide>& x, const std::vector<std::optional<Rational>>& y) {
            ASSERT_EQ(x.size(), y.size());
            for (std::size_t i = 0; i < x.size(); ++i) {
                ASSERT_TRUE(y[i].has_value());
                EXPECT_LE(high(wide_abs(x[i] - wide(*y[i]))), high(last_digits)) << i;
            }
        };
        compare(pair.rho, exact.rho);
        compare(pair.sigma, exact.sigma);
        compare(pair.rho_tilde, exact.rho_tilde);
        compare(pair.momentum, exact.momentum);
        compare({pair.error_constant}, {exact.error_constant});
        EXPECT_TRUE(same_fraction(exact.sigma.front(), beta) && same_fraction(exact.sigma.back(), beta));
    }
}

TEST(MultistepExact, momentum_weights_are_those_of_the_paper) {
    const std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>> weights{
        {2, {1, 1}}, {12, {-1, 7, 7, -1}}, {60, {1, -8, 37, 37, -8, 1}}, {840, {-3, 29, -139, 533, 533, -139, 29, -3}}};
    for (const auto& [denominator, numerators] : weights) {
        const std::vector<Rational> a(numerators.size() / 2 - 1);  // they do not depend on a
        const auto momentum = exact_multistep(a).momentum;
        ASSERT_EQ(momentum.size(), numerators.size());
        for (std::size_t i = 0; i < numerators.size(); ++i) {
            EXPECT_TRUE(same_fraction(momentum[i], fraction(numerators[i], denominator))) << denominator << ' ' << i;
        }
    }
}

// SY8, SY8B and SY8C of [HairerLubichWanner2006], Table XV.7.1.
TEST(MultistepExact, published_eighth_order_methods_have_their_sigma) {
    struct Published {
        std::vector<Wide> half_rho;
        std::vector<std::int64_t> sigma;
        std::int64_t denominator;
    };
    const std::vector<Published> methods{{{1, -2, 2, -1, 0}, {0, 17671, -23622, 61449, -50516}, 12096},
                                         {{1, 0, 0, Wide{-1} / 2, -1}, {0, 192481, 6582, 816783, -156812}, 120960},
                                         {{1, -1, 0, 0, 0}, {0, 13207, -8934, 42873, -33812}, 8640}};
    for (const auto& method : methods) {
        auto rho = method.half_rho;
        rho.insert(rho.end(), method.half_rho.rbegin() + 1, method.half_rho.rend());
        const auto pair = multistep_pair_of_rho(rho);
        for (std::size_t i = 0; i < method.sigma.size(); ++i) {
            const Wide expected = wide(fraction(method.sigma[i], method.denominator));
            EXPECT_LE(high(wide_abs(pair.sigma[i] - expected)), high(last_digits)) << method.denominator << ' ' << i;
        }
    }
}

TEST(MultistepExact, fractions_that_are_too_long_are_left_out_and_not_wrong) {
    const std::vector<Rational> a{fraction(123456789, 1000000007), fraction(-987654321, 1000000009),
                                  fraction(-33333333, 1000000021)};
    const auto exact = exact_multistep(a);
    EXPECT_TRUE(same_fraction(exact.rho.front(), fraction(1)));
    EXPECT_FALSE(exact.sigma[2].has_value());
    EXPECT_FALSE(exact.error_constant.has_value());
    EXPECT_TRUE(same_fraction(exact.momentum[0], fraction(-1, 280)));
    // Denominators of 150 bits: more than the arithmetic holds.
    const std::vector<Rational> longer{a[0], a[1], a[2], fraction(77777777, 1000000033), fraction(55555, 1000000087)};
    EXPECT_FALSE(exact_multistep(longer).sigma[3].has_value());
    EXPECT_FALSE(exact_multistep(longer).rho[5].has_value());
}

TEST(MultistepReport, reads_parameters_as_decimals) {
    const auto report = multistep_report(6, {"-.7", "+0.4"});
    EXPECT_EQ(report.spec, "multistep(6, -0.7, 0.4)");
    ASSERT_TRUE(report.exact.has_value());
    EXPECT_TRUE(same_fraction(report.exact->sigma[1], fraction(3829, 3000)));
    EXPECT_EQ(high(report.pair.a[0]), -0.7);
    EXPECT_FALSE(report.is_default);
    EXPECT_FALSE(report.nearest.has_value());
    EXPECT_TRUE(multistep_report(6, {}).is_default);
    EXPECT_FALSE(multistep_report(4, {}, "0.1").is_default);
    EXPECT_EQ(multistep_report(4, {}, "0.1").spec, "multistep(4, 0.2, beta=0.1)");
}

TEST(MultistepReport, refuses_what_is_no_method) {
    EXPECT_THROW(multistep_report(5, {}), InputError);
    EXPECT_THROW(multistep_report(0, {}), InputError);
    EXPECT_THROW(multistep_report(-4, {}), InputError);
    EXPECT_THROW(multistep_report(most_multistep_steps + 2, {}), InputError);
    EXPECT_THROW(multistep_report(12, {}), InputError);  // no defaults
    EXPECT_THROW(multistep_report(6, {"0.1"}), InputError);
    EXPECT_THROW(multistep_report(6, {"0.1", "0.1"}), InputError);
    EXPECT_THROW(multistep_report(6, {"-1", "0.1"}), InputError);
    EXPECT_THROW(multistep_report(6, {"0.1", "half"}), InputError);
    EXPECT_THROW(multistep_report(6, {"0.1", "nan"}), InputError);
    EXPECT_THROW(multistep_report(4, {"0.1"}, "x"), InputError);
    EXPECT_NO_THROW(multistep_report(6, {"-0.1", "0.4"}));  // violates (13): reported, not refused
}

}  // namespace
}  // namespace libration
