// Roots, conditions (12) and (13), interval of periodicity: what [CHL] section 4 says, and what was measured of it.
#include "coefficients/multistep_search.hpp"
#include "coefficients/multistep_stability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace libration {
namespace {

MultistepPair pair_of(const std::vector<double>& a, double beta = 0) {
    const std::vector<Wide> wide(a.begin(), a.end());
    return multistep_pair(wide, beta);
}

MultistepStability stability_of(const std::vector<double>& a, double beta = 0) {
    return multistep_stability(pair_of(a, beta));
}

MultistepPair pair_of_half_rho(std::vector<Wide> half) {
    half.insert(half.end(), half.rbegin() + 1, half.rend());
    return multistep_pair_of_rho(half);
}

// sigma of order 6 as printed in [CHL]: alpha x^2 + beta x + gamma - 2 alpha = 0 with x = zeta + 1/zeta.
struct PrintedSigma {
    double alpha, beta, gamma;
    PrintedSigma(double a1, double a2)
        : alpha((79 + 9 * (a1 + a2) - a1 * a2) / 60), beta((-14 + 26 * (a1 + a2) + 6 * a1 * a2) / 15),
          gamma((97 + 7 * (a1 + a2) + 97 * a1 * a2) / 30) {}
};

// Zero where two roots meet.
double double_root_curve(double a1, double a2) {
    const PrintedSigma s(a1, a2);
    return s.beta * s.beta - 4 * s.alpha * (s.gamma - 2 * s.alpha);
}

bool on_circle_by_the_paper(double a1, double a2) {
    const PrintedSigma s(a1, a2);
    const double root = std::sqrt(double_root_curve(a1, a2));  // not a number: false below
    return root > 0 && (std::abs(s.beta) + root) / (2 * std::abs(s.alpha)) < 2;
}

// The number of roots of rho + mu sigma on the upper half of the unit circle, by changes of sign of
// e^(-i k theta/2) (rho + mu sigma)(e^(i theta)), which is real: nothing of the code under test.
int roots_on_circle(const MultistepPair& pair, double mu) {
    constexpr int points = 8000;
    std::vector<double> c;  // of 1, 2 cos theta, 2 cos 2 theta, ...
    for (std::size_t j = pair.rho.size() / 2 + 1; j-- > 0;) {
        c.push_back(high(pair.rho[j]) + mu * high(pair.sigma[j]));
    }
    int changes = 0;
    bool before = true;
    for (int i = 0; i <= points; ++i) {
        const double x = 2 * std::cos(std::numbers::pi * i / points);
        double last = 2, now = x, sum = c[0];
        for (std::size_t j = 1; j < c.size(); ++j) {
            sum += c[j] * now;
            const double next = x * now - last;
            last = now;
            now = next;
        }
        const bool positive = sum > 0;
        changes += i > 0 && positive != before ? 1 : 0;
        before = positive;
    }
    return changes;
}

TEST(MultistepStability, order_four_satisfies_both_conditions_for_every_a) {
    for (int i = -99; i <= 99; ++i) {
        const auto stability = stability_of({i / 100.0});
        EXPECT_TRUE(stability.holds()) << i;
        EXPECT_GT(stability.sigma.margin, 0) << i;
    }
}

TEST(MultistepStability, interval_of_periodicity_of_order_two_and_four_is_the_formula) {
    EXPECT_NEAR(stability_of({}).periodicity, 2, 1e-15);
    // Implicit: R = u, S = 1 + beta u, and u = -4 is reached at mu = 4 / (1 - 4 beta).
    EXPECT_NEAR(stability_of({}, 0.1).periodicity, 2 / std::sqrt(0.6), 1e-14);
    EXPECT_TRUE(std::isinf(stability_of({}, 0.25).periodicity));
    for (const double a : {-0.95, -0.5, -0.2, 0.0, 0.2, 0.6, 0.95}) {
        EXPECT_NEAR(stability_of({a}).periodicity, std::sqrt(6 * (1 - a) / (2 - a)), 1e-14) << a;
    }
}

// The figures were measured with scans of step 5e-4; the one of (-0.85, -0.99) is a window 3e-3 wide, beyond which the
// method is stable again up to 1.97.
TEST(MultistepStability, interval_of_periodicity_is_the_measured_one) {
    EXPECT_NEAR(stability_of({-0.7, 0.4}).periodicity, 0.7215, 5e-4);
    EXPECT_NEAR(stability_of({0.66, -0.26}).periodicity, 1.050, 5e-4);
    EXPECT_NEAR(stability_of({-0.85, -0.99}).periodicity, 0.140, 5e-4);
    EXPECT_NEAR(stability_of({-0.8, -0.4, 0.7}).periodicity, 0.938, 5e-4);
}

TEST(MultistepStability, interval_of_periodicity_agrees_with_a_scan) {
    for (const std::vector<double>& a : {std::vector<double>{-0.5, 0.8}, {-0.85, -0.99}, {-0.8, -0.4, 0.7}}) {
        const auto pair = pair_of(a);
        const double end = multistep_stability(pair).periodicity;
        const auto all = static_cast<int>(a.size()) + 1;
        // Two roots that are about to meet lie between two points of the circle: the last 2e-3 are left out.
        for (double h = 5e-4; h < end - 2e-3; h += 5e-4) {
            ASSERT_EQ(roots_on_circle(pair, h * h), all) << h;
        }
        EXPECT_LT(roots_on_circle(pair, (end + 2e-4) * (end + 2e-4)), all);
    }
}

TEST(MultistepStability, the_region_of_order_six_has_the_limits_of_the_figure) {
    const double limits[][2]{{0.9, -0.185}, {0.66, -0.259}, {0.4, -0.343}, {0.2, -0.412}, {0.0, -0.485}};
    for (const auto& [a1, expected] : limits) {
        double inside = -0.999, outside = 0;
        for (int i = 0; i < 40; ++i) {
            const double mid = (inside + outside) / 2;
            (sigma_condition(pair_of({a1, mid})).holds ? inside : outside) = mid;
        }
        EXPECT_NEAR(inside, expected, 1e-3) << a1;  // these were read from a grid of that width
        EXPECT_NEAR(double_root_curve(a1, inside), 0, 1e-7) << a1;
        EXPECT_TRUE(sigma_condition(pair_of({inside - 1e-3, a1})).holds) << "the mirror image";
        EXPECT_FALSE(sigma_condition(pair_of({inside + 1e-3, a1})).holds);
        // On the curve the roots have met: no margin, no depth.
        EXPECT_LT(stability_of({a1, inside}).depth, 1e-6);
    }
}

TEST(MultistepStability, condition_13_holds_for_the_measured_share_of_parameters) {
    // Order 6: 48.86 % of the square by the formulas of the paper on cells (and 48.6 % of the 199 x 199 nodes of a
    // grid).
    constexpr int cells = 300;
    int holds = 0;
    for (int i = 0; i < cells * cells; ++i) {
        const double a1 = (2 * (i % cells) + 1.0) / cells - 1;
        const double a2 = (2 * (i / cells) + 1.0) / cells - 1;
        const bool on_circle = sigma_on_circle(std::vector<double>{a1, a2});
        holds += on_circle ? 1 : 0;
        ASSERT_EQ(on_circle, on_circle_by_the_paper(a1, a2)) << a1 << ' ' << a2;
        if (i % 997 == 0) {  // the fast check and the careful one
            EXPECT_EQ(on_circle, sigma_condition(pair_of({a1, a2})).holds) << a1 << ' ' << a2;
        }
    }
    EXPECT_NEAR(holds / double(cells * cells), 0.4886, 5e-4);
    // 16.7 % for order 8, 3.9 % for order 10; 20000 random points know a share p to sqrt(p / 20000), three times that
    // is allowed.
    std::uint64_t state = 1;
    const auto random = [&] {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(state >> 11U) / 4503599627370496.0 - 1;
    };
    for (const auto& [parameters, share] : {std::pair{3, 0.167}, std::pair{4, 0.039}}) {
        int found = 0;
        for (int i = 0; i < 20000; ++i) {
            std::vector<double> a(static_cast<std::size_t>(parameters));
            std::generate(a.begin(), a.end(), random);
            found += sigma_on_circle(a) ? 1 : 0;
        }
        EXPECT_NEAR(found / 20000.0, share, 3 * std::sqrt(share / 20000)) << parameters;
    }
}

TEST(MultistepStability, published_choices_are_judged_as_measured) {
    const auto b = stability_of({-0.1, 0.4});
    EXPECT_FALSE(b.sigma.holds);
    EXPECT_TRUE(b.rho.holds);
    EXPECT_NEAR(b.largest_root, 1.31457, 5e-6);
    EXPECT_LT(b.sigma.margin, 0);
    EXPECT_NE(b.sigma.fault.find("1.315"), std::string::npos);
    for (const auto& [half_rho, modulus] :
         {std::pair{std::vector<Wide>{1, -2, 2, -1, 0}, 1.217}, std::pair{std::vector<Wide>{1, 0, 0, -0.5, -1}, 1.789},
          std::pair{std::vector<Wide>{1, -1, 0, 0, 0}, 1.580}}) {
        const auto stability = multistep_stability(pair_of_half_rho(half_rho));
        EXPECT_TRUE(stability.rho.holds) << stability.rho.fault;
        EXPECT_FALSE(stability.sigma.holds);
        EXPECT_NEAR(stability.largest_root, modulus, 5e-4);
    }
    for (const std::vector<double>& a : {std::vector<double>{-0.7, 0.4}, {-0.8, -0.4, 0.7}}) {
        const auto stability = stability_of(a);
        EXPECT_TRUE(stability.holds() && stability.good());
        for (const auto& root : stability.sigma_roots) {
            EXPECT_EQ(root.modulus, 1);
        }
    }
}

// The beta that removes the error constant gives order k + 2; [CHL] ask for r = k because (13) never holds then.
TEST(MultistepStability, implicit_methods_of_order_k_plus_2_violate_13) {
    for (std::size_t parameters = 0; parameters <= 3; ++parameters) {
        std::uint64_t state = 7;
        for (int i = 0; i < 60; ++i) {
            std::vector<Wide> a(parameters);
            for (auto& x : a) {
                state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                x = static_cast<Wide>(static_cast<double>(state >> 11U) / 4503599627370496.0 - 1);
            }
            const auto plain = multistep_pair(a);
            Wide at_one = 0;
            for (const Wide s : plain.sigma) {
                at_one += s;
            }
            const auto implicit = multistep_pair(a, plain.error_constant * at_one);
            EXPECT_LE(high(wide_abs(implicit.error_constant)), 1e-25 * std::abs(high(plain.error_constant)));
            EXPECT_FALSE(multistep_stability(implicit).sigma.holds) << parameters << ' ' << i;
        }
    }
    const auto numerov = stability_of({}, 1.0 / 12);  // S = 1 + u/12: x = -10
    EXPECT_NEAR(numerov.largest_root, 5 + std::sqrt(24.0), 1e-12);
}

TEST(MultistepStability, margins_are_distances_in_zeta_plus_1_over_zeta) {
    const auto a = stability_of({-0.7, 0.4});  // x = 1.4, -0.8: nearest is 2
    EXPECT_NEAR(a.rho.margin, 0.6, 1e-15);
    EXPECT_NEAR(stability_of({0.1, 0.2}).rho.margin, 0.2, 1e-15);
    ASSERT_EQ(a.rho_roots.size(), 2U);
    EXPECT_NEAR(a.rho_roots[0].angle, std::acos(0.7), 1e-15);
    EXPECT_NEAR(a.rho_roots[1].angle, std::acos(-0.4), 1e-15);
    ASSERT_EQ(a.sigma_roots.size(), 2U);
    const double x0 = 2 * std::cos(a.sigma_roots[0].angle), x1 = 2 * std::cos(a.sigma_roots[1].angle);
    EXPECT_NEAR(a.sigma.margin, std::min({2 - x0, x0 - x1, x1 + 2}), 1e-14);
    // alpha x^2 + beta x + gamma - 2 alpha = 0 with the coefficients of the paper.
    const double alpha = 3829.0 / 3000, beta = -587.0 / 375, gamma = 1129.0 / 500;
    EXPECT_NEAR(x0 + x1, -beta / alpha, 1e-14);
    EXPECT_NEAR(x0 * x1, gamma / alpha - 2, 1e-14);
    // |S| at x = 2, -2 and at the vertex, the least of them by the largest.
    const double ends[]{2 * alpha + 2 * beta + gamma, 2 * alpha - 2 * beta + gamma,
                        std::abs(gamma - 2 * alpha - beta * beta / (4 * alpha))};
    EXPECT_NEAR(a.depth, *std::min_element(ends, ends + 3) / *std::max_element(ends, ends + 3), 1e-14);
}

// k = 4: rho' = (zeta - 1)^2 (2 zeta + 2a) at cos(theta) = -a, and sigma / zeta = alpha (zeta^2 + 1) + gamma zeta.
TEST(MultistepStability, response_of_order_four_is_the_closed_form) {
    for (const double a : {-0.9, -0.2, 0.0, 0.2, 0.7}) {
        const double alpha = (7 + a) / 6, gamma = (-1 + 5 * a) / 3;
        const auto stability = stability_of({a});
        EXPECT_NEAR(stability.rho_response, 1 / std::sqrt(1 - a * a), 1e-13) << a;
        EXPECT_NEAR(stability.sigma_response, (2 + 2 * a) / std::sqrt(alpha * alpha - gamma * gamma / 4), 1e-13) << a;
        const auto rating = multistep_rating(std::vector<double>{a});
        ASSERT_TRUE(rating.has_value());
        EXPECT_NEAR(rating->sigma_response, stability.sigma_response, 1e-12) << a;
    }
    EXPECT_TRUE(std::isinf(stability_of({-0.1, 0.4}).sigma_response));
}

TEST(MultistepStability, bad_parameters_are_named) {
    const auto outside = stability_of({1.5, 0});
    EXPECT_FALSE(outside.rho.holds);
    EXPECT_NEAR(outside.rho.margin, -0.5, 1e-15);
    EXPECT_NE(outside.rho.fault.find("1.5"), std::string::npos);
    const auto twice = stability_of({0.3, 0.3});
    EXPECT_FALSE(twice.rho.holds);
    EXPECT_NE(twice.rho.fault.find("twice"), std::string::npos);
    EXPECT_FALSE(stability_of({-1.0}).rho.holds);
    // rho = (zeta - 1)^2 (zeta^2 - 3 zeta + 1) has the root 2.618; rho = (zeta - 1)^2 (zeta^2 + 1)^2 has two double
    // ones.
    const auto growing = multistep_stability(multistep_pair_of_rho_tilde(std::vector<Wide>{1, -3, 1}));
    EXPECT_FALSE(growing.rho.holds);
    EXPECT_NEAR(growing.rho.margin, -(1 + std::sqrt(5.0)) / 2, 1e-12);
    EXPECT_FALSE(multistep_stability(multistep_pair_of_rho_tilde(std::vector<Wide>{1, 0, 2, 0, 1})).rho.holds);
}

TEST(MultistepStability, a_common_root_is_found) {
    // k = 4: S = s0 + s1 u + beta u^2 with the root u = -2 - 2a of rho for this beta.
    const auto plain = pair_of({0.3});
    const Wide u = -2 - 2 * plain.a[0];
    const Wide s1 = plain.sigma[1], s0 = plain.sigma[2] + 2 * s1;
    const std::vector<Wide> a = plain.a;
    const auto reducible = multistep_stability(multistep_pair(a, -(s0 + s1 * u) / (u * u)));
    EXPECT_FALSE(reducible.irreducible.holds);
    EXPECT_FALSE(reducible.holds());
    EXPECT_TRUE(multistep_stability(plain).irreducible.holds);
}

}  // namespace
}  // namespace libration
