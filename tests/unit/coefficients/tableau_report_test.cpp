// The tableau laboratory against Jay 1998 and Hairer and Wanner II: conditions, W-transform, stability, orders.
#include "families.hpp"

#include "reports/tableau_report.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

constexpr bool is_lobatto(Family family) { return family != Family::gauss && family != Family::radau; }

// p, q, r of the families: Jay 1998, section 8; Hairer and Wanner II, IV.5.
Assumptions known_assumptions(Family family, std::size_t s) {
    switch (family) {
        case Family::lobatto_a: return {2 * s - 2, s, s - 2};
        case Family::lobatto_b: return {2 * s - 2, s - 2, s};
        case Family::gauss: return {2 * s, s, s};
        case Family::radau: return {2 * s - 1, s, s - 1};
        default: return {2 * s - 2, s - 1, s - 1};
    }
}

TEST(SimplifyingAssumptions, are_those_of_the_families_up_to_forty_stages) {
    for (const auto family : families) {
        for (const std::size_t s : {2, 3, 4, 5, 8, 12, 25, 40}) {
            const auto found = assumptions(tableau(family, s));
            const auto known = known_assumptions(family, s);
            EXPECT_EQ(found.p, known.p) << label(family, s);
            EXPECT_EQ(found.q, known.q) << label(family, s);
            EXPECT_EQ(found.r, known.r) << label(family, s);
            EXPECT_EQ(classical_order(found), known.p) << label(family, s);
        }
    }
}

// Jay 1996, Lemma 4.3; Jay 1998, section 8.
TEST(SimplifyingAssumptions, of_pairs_with_IIIA_are_CC_s_and_DD_s) {
    for (const std::size_t s : {2, 3, 4, 5, 9, 40}) {
        const auto a = tableau(Family::lobatto_a, s);
        for (const auto family : {Family::lobatto_b, Family::lobatto_c, Family::lobatto_cstar, Family::lobatto_d}) {
            const auto found = assumptions(a, tableau(family, s));
            EXPECT_EQ(found.Q, s) << label(family, s);
            EXPECT_EQ(found.R, s) << label(family, s);
        }
    }
}

TEST(SimplifyingAssumptions, of_the_implicit_euler_pair_hold_for_every_degree) {
    const auto a = tableau(Family::radau, 1);
    const auto ahat = symplectic_conjugate(a);
    EXPECT_EQ(assumptions(a, ahat).R, every_degree);  // both sides are 0, as c = 1
    EXPECT_EQ(assumptions(a, ahat).Q, 1U);
    EXPECT_EQ(assumptions(ahat).r, every_degree);
    EXPECT_EQ(assumptions(a).r, 0U);
    const auto gauss = tableau(Family::gauss, 1);
    EXPECT_EQ(assumptions(gauss, gauss).R, 1U);
}

TEST(SimplifyingAssumptions, a_wrong_entry_is_seen) {
    auto table = tableau(Family::gauss, 4);
    table.A[5] += Wide{1e-25};
    EXPECT_EQ(assumptions(table).p, 8U);
    EXPECT_EQ(assumptions(table).q, 0U);
    EXPECT_EQ(assumptions(table).r, 0U);
}

TEST(SimplifyingAssumptions, only_IIIA_with_a_last_column_of_zeros_fits_constraints) {
    const auto a = tableau(Family::lobatto_a, 4);
    EXPECT_TRUE(fits_constraints(a, tableau(Family::lobatto_b, 4)));
    EXPECT_FALSE(fits_constraints(a, tableau(Family::lobatto_c, 4)));
    EXPECT_FALSE(fits_constraints(tableau(Family::gauss, 4), tableau(Family::gauss, 4)));
    EXPECT_FALSE(fits_constraints(a, a));
}

// Jay 1998, section 8: the X^(m) and sigma, with zeta_k = 1/(2 sqrt(4k^2 - 1)).
Wide known_transform(Family family, std::size_t s, std::size_t i, std::size_t j) {
    const auto zeta = [](std::size_t k) { return 1 / (2 * wide_sqrt(static_cast<Wide>(4 * k * k - 1))); };
    const Wide sigma = is_lobatto(family) ? static_cast<Wide>(2 * s - 1) / static_cast<Wide>(s - 1) : Wide{1};
    const bool last_row = i + 1 == s;
    const bool last_column = j + 1 == s;
    if (i == 0 && j == 0) {
        return Wide{1} / 2;
    }
    if (i == j + 1) {
        return last_row && family == Family::lobatto_b ? Wide{0} : zeta(i) * (last_row ? sigma : Wide{1});
    }
    if (j == i + 1) {
        return last_column && family == Family::lobatto_a ? Wide{0} : -zeta(j) * (last_column ? sigma : Wide{1});
    }
    if (i == j && last_row) {
        switch (family) {
            case Family::lobatto_c: return sigma / static_cast<Wide>(2 * s - 2);
            case Family::lobatto_cstar: return -sigma / static_cast<Wide>(2 * s - 2);
            case Family::radau: return 1 / static_cast<Wide>(4 * s - 2);
            default: break;
        }
    }
    return 0;
}

TEST(WTransform, is_that_of_the_paper) {
    for (const auto family : families) {
        for (const std::size_t s : {2, 3, 4, 7, 20}) {
            const auto found = w_transform(tableau(family, s));
            for (std::size_t i = 0; i < s; ++i) {
                for (std::size_t j = 0; j < s; ++j) {
                    // Sums of s^2 products with polynomials below sqrt(2s).
                    EXPECT_LE(high(wide_abs(found.x(i, j) - known_transform(family, s, i, j))),
                              high(static_cast<Wide>(16 * s) * wide_epsilon))
                        << label(family, s) << ", " << i << ", " << j;
                }
            }
        }
    }
}

Pade known_pade(Family family, std::size_t s) {
    switch (family) {
        case Family::lobatto_c: return {s - 2, s};
        case Family::lobatto_cstar: return {s, s - 2};
        case Family::gauss: return {s, s};
        case Family::radau: return {s - 1, s};
        default: return {s - 1, s - 1};
    }
}

// IIID is no Pade approximation: A is regular, so both degrees are s, but the order is 2s - 2.
TEST(StabilityFunction, is_the_known_pade_approximation) {
    for (const auto family : families) {
        for (const std::size_t s : {2, 3, 4, 5, 12, 20, 40}) {
            const auto found = stability_function(w_transform(tableau(family, s)));
            if (family == Family::lobatto_d) {
                EXPECT_FALSE(found.pade) << label(family, s);
                EXPECT_EQ(found.numerator.size(), s + 1) << label(family, s);
                EXPECT_EQ(found.denominator.size(), s + 1) << label(family, s);
                EXPECT_EQ(found.order, s <= 20 ? std::optional(2 * s - 2) : std::nullopt) << label(family, s);
                continue;
            }
            ASSERT_TRUE(found.pade) << label(family, s);
            EXPECT_EQ(found.pade->numerator, known_pade(family, s).numerator) << label(family, s);
            EXPECT_EQ(found.pade->denominator, known_pade(family, s).denominator) << label(family, s);
        }
    }
}

TEST(StabilityFunction, has_exact_coefficients) {
    const auto texts = [](const std::vector<std::optional<Rational>>& values) {
        std::string text;
        for (const auto& x : values) {
            text += (x ? to_string(*x) : "?") + " ";
        }
        return text;
    };
    const auto c = stability_function(w_transform(tableau(Family::lobatto_c, 3)));
    EXPECT_EQ(texts(c.exact_numerator), "1 1/4 ");
    EXPECT_EQ(texts(c.exact_denominator), "1 -3/4 1/4 -1/24 ");
    const auto gauss = stability_function(w_transform(tableau(Family::gauss, 12)));
    EXPECT_EQ(texts({gauss.exact_numerator[12]}), "1/1295295050649600 ");  // 12!/24!
}

// R from its definition (25), with the tableau itself.
TEST(StabilityFunction, agrees_with_its_definition) {
    for (const auto family : families) {
        const std::size_t s = 5;
        const auto table = tableau(family, s);
        const auto f = stability_function(w_transform(table));
        const Wide z = Wide{-7} / 3;
        std::vector<Wide> matrix(s * s);
        for (std::size_t k = 0; k < s * s; ++k) {
            matrix[k] = (k % (s + 1) == 0 ? 1 : 0) - z * table.A[k];
        }
        const auto inverted = inverse(matrix, s);
        Wide r = 1;
        for (std::size_t i = 0; i < s; ++i) {
            for (std::size_t j = 0; j < s; ++j) {
                r += z * table.b[i] * inverted[i * s + j];
            }
        }
        const auto value = [&](const std::vector<Wide>& p) {
            Wide sum = 0;
            for (std::size_t i = p.size(); i-- > 0;) {
                sum = sum * z + p[i];
            }
            return sum;
        };
        EXPECT_LE(high(wide_abs(value(f.numerator) / value(f.denominator) - r)), high(1000 * wide_epsilon))
            << name(family);
    }
}

TEST(LinearStability, is_that_of_the_families) {
    for (const auto family : families) {
        for (const std::size_t s : {2, 3, 4, 7, 15, 30}) {
            const auto found = linear_stability(stability_function(w_transform(tableau(family, s))));
            const bool damps = family == Family::lobatto_c || family == Family::radau;
            const bool explodes = family == Family::lobatto_cstar;
            EXPECT_EQ(found.a_stable, !explodes) << label(family, s);
            EXPECT_EQ(found.l_stable, damps) << label(family, s);
            EXPECT_EQ(found.p_stable, !damps && !explodes) << label(family, s);
            EXPECT_EQ(found.explosive, !damps) << label(family, s);
            EXPECT_EQ(found.unconditionally_explosive, explodes) << label(family, s);
        }
    }
}

// Ehle's conjecture, proved by Wanner, Hairer and Norsett 1978: Pade (k, j) is A-stable if and only if k <= j <= k + 2.
TEST(LinearStability, pade_approximations_are_a_stable_on_three_diagonals_only) {
    const auto coefficients = [](std::size_t k, std::size_t j, int sign) {
        std::vector<Wide> result{1};
        for (std::size_t i = 0; i < k; ++i) {
            result.push_back(result.back() * sign * static_cast<Wide>(k - i) /
                             static_cast<Wide>((k + j - i) * (i + 1)));
        }
        return result;
    };
    for (std::size_t k = 0; k <= 8; ++k) {
        for (std::size_t j = 1; j <= 8; ++j) {
            EXPECT_EQ(bounded_in_left_half_plane(coefficients(k, j, 1), coefficients(j, k, -1)), k <= j && j <= k + 2)
                << k << ", " << j;
        }
    }
}

TEST(LinearStability, a_pole_on_the_left_and_a_bulge_on_the_axis_are_seen) {
    const Wide half = Wide{1} / 2;
    EXPECT_TRUE(bounded_in_left_half_plane({half}, {1, -1}));
    EXPECT_FALSE(bounded_in_left_half_plane({half}, {1, 1}));            // small on the axis, but with a pole at -1
    EXPECT_FALSE(bounded_in_left_half_plane({1, 1}, {1, -half, half}));  // 1 at infinity and at 0, larger between
}

TEST(LinearStability, on_the_axis_IIIC_damps_and_symmetric_methods_do_not) {
    const auto at = [](Family family, Wide y) {
        return high(modulus_on_axis(stability_function(w_transform(tableau(family, 3))), y));
    };
    EXPECT_NEAR(at(Family::lobatto_c, 10), 0.0645, 5e-5);
    for (const double y : {0.5, 10.0, 50.0}) {
        for (const auto family : {Family::lobatto_a, Family::lobatto_b, Family::lobatto_d, Family::gauss}) {
            EXPECT_NEAR(at(family, Wide{y}), 1, 1e-15) << name(family) << " at " << y;
        }
    }
}

TEST(TableauReport, names_the_conjugates) {
    const auto conjugates = [](const char* name) {
        const auto report = tableau_report(name, 4);
        return std::pair(report.families[0].symplectic_conjugate, report.families[0].symmetric_conjugate);
    };
    using Both = std::pair<std::optional<Family>, std::optional<Family>>;
    EXPECT_EQ(conjugates("lobatto-a"), Both(Family::lobatto_b, Family::lobatto_a));
    EXPECT_EQ(conjugates("lobatto-b"), Both(Family::lobatto_a, Family::lobatto_b));
    EXPECT_EQ(conjugates("lobatto-c"), Both(Family::lobatto_cstar, Family::lobatto_cstar));
    EXPECT_EQ(conjugates("lobatto-cstar"), Both(Family::lobatto_c, Family::lobatto_c));
    EXPECT_EQ(conjugates("lobatto-d"), Both(Family::lobatto_d, Family::lobatto_d));
    EXPECT_EQ(conjugates("gauss"), Both(Family::gauss, Family::gauss));
    EXPECT_EQ(conjugates("radau"), Both(std::nullopt, std::nullopt));
}

// Jay 1998, section 6; Hairer and Wanner II, Theorem IV.12.9.
TEST(TableauReport, algebraic_stability_and_dilatation_are_those_of_the_families) {
    for (const std::size_t s : {2, 3, 6, 40}) {
        for (const auto family : families) {
            const auto found = algebraic_stability_eigenvalues(w_transform(tableau(family, s)));
            const Wide zero = static_cast<Wide>(64 * s) * wide_epsilon;
            const bool neither = family == Family::lobatto_a || family == Family::lobatto_b;
            const bool contracts = family == Family::lobatto_c || family == Family::radau;
            EXPECT_EQ(found.least >= -zero, !neither && family != Family::lobatto_cstar) << label(family, s);
            EXPECT_EQ(found.greatest <= zero, !neither && !contracts) << label(family, s);
        }
    }
    const auto spark = tableau_report("spark", 3);
    EXPECT_TRUE(spark.families[2].algebraically_stable && !spark.families[2].dilatative);
    EXPECT_TRUE(!spark.families[3].algebraically_stable && spark.families[3].dilatative);
}

TEST(TableauReport, predicted_and_measured_orders_agree) {
    for (const auto* name : {"lobatto-a", "lobatto-b", "lobatto-c", "lobatto-cstar", "lobatto-d", "gauss", "radau"}) {
        for (const std::int64_t s : {2, 3, 5}) {
            const auto report = tableau_report(name, s);
            const auto& family = report.families[0];
            ASSERT_TRUE(family.measured_order && family.measured_order->settled) << name << s;
            // Errors of the next order at h = 1/64, or at the larger steps of order 8 and more.
            EXPECT_NEAR(family.measured_order->order, static_cast<double>(family.order), 0.1) << name << s;
            const auto& pair = report.pairs[0];
            ASSERT_TRUE(pair.symplectic && pair.measured_order) << name << s;
            EXPECT_NEAR(pair.measured_order->order, static_cast<double>(*pair.free_order), 0.1) << name << s;
        }
    }
}

TEST(TableauReport, a_wrong_tableau_shows_a_lower_order) {
    const auto a = tableau(Family::lobatto_a, 3);
    auto wrong = tableau(Family::lobatto_b, 3);
    wrong.A[4] += Wide{1} / 100;  // C(1) and D(1) are lost
    EXPECT_NEAR(measured_order(a, wrong)->order, 1, 0.1);
}

TEST(TableauReport, spark_satisfies_all_conditions_with_full_order) {
    for (const std::int64_t s : {2, 3, 4, 10}) {
        const auto report = tableau_report("spark", s);
        ASSERT_TRUE(report.spark);
        EXPECT_EQ(report.spark->conditions.size(), 7U);
        for (const auto& condition : report.spark->conditions) {
            EXPECT_TRUE(condition.holds) << condition.name << ", s = " << s;
        }
        const auto order = static_cast<std::size_t>(2 * s - 2);
        EXPECT_EQ(report.spark->order.position, order);
        EXPECT_EQ(report.spark->order.momentum, order);
        EXPECT_EQ(report.pairs[0].constrained_order->position, order);
        EXPECT_EQ(report.pairs[0].constrained_order->momentum, order);
        if (s <= 4) {
            EXPECT_NEAR(report.spark->measured_order->order, static_cast<double>(order), 0.1) << s;
        }
    }
}

TEST(TableauReport, refuses_what_it_does_not_know) {
    EXPECT_THROW(tableau_report("lobato", 3), InputError);
    EXPECT_THROW(tableau_report("spark", 1), InputError);
    EXPECT_THROW(tableau_report("gauss", 0), InputError);
    EXPECT_THROW(tableau_report("gauss", 41), InputError);
    EXPECT_NO_THROW(tableau_report("gauss", 1));
}

}  // namespace
}  // namespace libration
