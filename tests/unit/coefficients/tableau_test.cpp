// Tableaux: known tables, simplifying assumptions, structure, precision at many stages.
#include "families.hpp"

#include "coefficients/tableau_conditions.hpp"
#include <libration/kit/scalars.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace libration {
namespace {

constexpr Family lobatto_families[]{Family::lobatto_a, Family::lobatto_b, Family::lobatto_c, Family::lobatto_cstar,
                                    Family::lobatto_d};

// Entries are at most 1 and come from sums of at most s+1 terms with some ten roundings each; conditions sum s of them.
// IIIB and the like divide by b_1 = 1/(s(s-1)), then multiply by b_j: no gain of error. 1e-32 for s = 11 in Quad.
Wide table_tolerance(std::size_t stages) { return 5 * static_cast<Wide>(stages) * wide_epsilon; }

void expect_entries(const std::vector<Wide>& found, const std::vector<Wide>& wanted, const std::string& what) {
    ASSERT_EQ(found.size(), wanted.size()) << what;
    for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_LE(high(wide_abs(found[k] - wanted[k])), high(8 * wide_epsilon)) << what << ", entry " << k;
    }
}

void expect_table(Family family, const std::vector<Wide>& c, const std::vector<Wide>& b, const std::vector<Wide>& a) {
    const auto found = tableau(family, c.size());
    expect_entries(found.c, c, label(family, c.size()) + ", c");
    expect_entries(found.b, b, label(family, c.size()) + ", b");
    expect_entries(found.A, a, label(family, c.size()) + ", A");
}

// numerators/denominator
std::vector<Wide> over(int denominator, const std::vector<Wide>& numerators) {
    std::vector<Wide> result;
    for (const Wide numerator : numerators) {
        result.push_back(numerator / denominator);
    }
    return result;
}

// Tables from Hairer and Wanner, Solving Ordinary Differential Equations II, IV.5, and Jay 1998.
TEST(Tableau, lobatto_tables_of_two_and_three_stages_are_the_known_ones) {
    const std::vector<Wide> c2{0, 1};
    const auto b2 = over(2, {1, 1});
    expect_table(Family::lobatto_a, c2, b2, over(2, {0, 0, 1, 1}));
    expect_table(Family::lobatto_b, c2, b2, over(2, {1, 0, 1, 0}));
    expect_table(Family::lobatto_c, c2, b2, over(2, {1, -1, 1, 1}));
    expect_table(Family::lobatto_cstar, c2, b2, {0, 0, 1, 0});
    expect_table(Family::lobatto_d, c2, b2, over(4, {1, -1, 3, 1}));
    const auto c3 = over(2, {0, 1, 2});
    const auto b3 = over(6, {1, 4, 1});
    expect_table(Family::lobatto_a, c3, b3, over(24, {0, 0, 0, 5, 8, -1, 4, 16, 4}));
    expect_table(Family::lobatto_b, c3, b3, over(6, {1, -1, 0, 1, 2, 0, 1, 5, 0}));
    expect_table(Family::lobatto_c, c3, b3, over(12, {2, -4, 2, 2, 5, -1, 2, 8, 2}));
    expect_table(Family::lobatto_cstar, c3, b3, over(4, {0, 0, 0, 1, 1, 0, 0, 4, 0}));
    expect_table(Family::lobatto_d, c3, b3, over(24, {2, -4, 2, 5, 8, -1, 2, 20, 2}));
}

TEST(Tableau, lobatto_tables_of_four_stages_are_the_known_ones) {
    const Wide r = wide_sqrt(5);
    const auto c = over(10, {0, 5 - r, 5 + r, 10});
    const auto b = over(12, {1, 5, 5, 1});
    expect_table(Family::lobatto_a, c, b,
                 over(120, {0, 0, 0, 0, 11 + r, 25 - r, 25 - 13 * r, r - 1, 11 - r, 25 + 13 * r, 25 + r, -1 - r, 10, 50,
                            50, 10}));
    expect_table(Family::lobatto_b, c, b,
                 over(120, {10, -5 - 5 * r, -5 + 5 * r, 0, 10, 25 + r, 25 - 13 * r, 0, 10, 25 + 13 * r, 25 - r, 0, 10,
                            55 - 5 * r, 55 + 5 * r, 0}));
    expect_table(Family::lobatto_c, c, b,
                 over(60, {5, -5 * r, 5 * r, -5, 5, 15, 10 - 7 * r, r, 5, 10 + 7 * r, 15, -r, 5, 25, 25, 5}));
    expect_table(
        Family::lobatto_cstar, c, b,
        over(60, {0, 0, 0, 0, 5 + r, 10, 15 - 7 * r, 0, 5 - r, 15 + 7 * r, 10, 0, 10, 25 - 5 * r, 25 + 5 * r, 0}));
}

TEST(Tableau, gauss_and_radau_tables_are_the_known_ones) {
    const Wide r3 = wide_sqrt(3);
    const Wide r6 = wide_sqrt(6);
    const Wide r15 = wide_sqrt(15);
    expect_table(Family::gauss, over(2, {1}), {1}, over(2, {1}));
    expect_table(Family::gauss, over(6, {3 - r3, 3 + r3}), over(2, {1, 1}), over(12, {3, 3 - 2 * r3, 3 + 2 * r3, 3}));
    expect_table(Family::gauss, over(10, {5 - r15, 5, 5 + r15}), over(18, {5, 8, 5}),
                 over(360, {50, 80 - 24 * r15, 50 - 12 * r15, 50 + 15 * r15, 80, 50 - 15 * r15, 50 + 12 * r15,
                            80 + 24 * r15, 50}));
    expect_table(Family::radau, {1}, {1}, {1});
    expect_table(Family::radau, over(3, {1, 3}), over(4, {3, 1}), over(12, {5, -1, 9, 3}));
    expect_table(Family::radau, over(10, {4 - r6, 4 + r6, 10}), over(36, {16 - r6, 16 + r6, 4}),
                 over(1800, {440 - 35 * r6, 296 - 169 * r6, -16 + 24 * r6, 296 + 169 * r6, 440 + 35 * r6, -16 - 24 * r6,
                             800 - 50 * r6, 800 + 50 * r6, 200}));
}

struct AssumptionOrders {
    std::size_t b, c, d;
};

// Hairer and Wanner II, IV.5, table 5.13; for IIIC* and IIID Jay 1998.
AssumptionOrders assumption_orders(Family family, std::size_t s) {
    switch (family) {
        case Family::lobatto_a: return {2 * s - 2, s, s - 2};
        case Family::lobatto_b: return {2 * s - 2, s - 2, s};
        case Family::gauss: return {2 * s, s, s};
        case Family::radau: return {2 * s - 1, s, s - 1};
        default: return {2 * s - 2, s - 1, s - 1};
    }
}

Tableau rounded_to_double(Tableau table) {
    for (auto* values : {&table.c, &table.b, &table.A}) {
        for (auto& value : *values) {
            value = static_cast<Wide>(high(value));
        }
    }
    return table;
}

TEST(Tableau, simplifying_assumptions_hold_as_far_as_they_should_and_no_further) {
    for (const auto family : families) {
        for (std::size_t s = 2; s <= 11; ++s) {
            const auto table = tableau(family, s);
            const auto rounded = rounded_to_double(table);
            const auto [b, c, d] = assumption_orders(family, s);
            const auto what = label(family, s);
            EXPECT_LE(high(residual_b(table, b)), high(table_tolerance(s))) << what;
            EXPECT_LE(high(residual_c(table, c)), high(table_tolerance(s))) << what;
            EXPECT_LE(high(residual_d(table, d)), high(table_tolerance(s))) << what;
            // 1.1e-16 for each of the entries, up to 2s-1 factors in a term.
            EXPECT_LE(high(residual_b(rounded, b)), 1e-14) << what;
            EXPECT_LE(high(residual_c(rounded, c)), 1e-14) << what;
            EXPECT_LE(high(residual_d(rounded, d)), 1e-14) << what;
            // The next condition misses by the error of the quadrature formula; the smallest here, of Gauss, is 9e-14.
            EXPECT_GE(high(residual_b(table, b + 1)), 1e-15) << what;
            EXPECT_GE(high(residual_c(table, c + 1)), 1e-10) << what;
            EXPECT_GE(high(residual_d(table, d + 1)), 1e-10) << what;
        }
    }
}

TEST(Tableau, symplecticity_and_symmetry_hold_where_they_should_and_nowhere_else) {
    for (std::size_t s = 2; s <= 11; ++s) {
        for (const auto family : families) {
            const auto table = tableau(family, s);
            const bool symplectic = family == Family::gauss || family == Family::lobatto_d;
            const bool symmetric = symplectic || family == Family::lobatto_a || family == Family::lobatto_b;
            EXPECT_EQ(symplecticity_residual(table) <= table_tolerance(s), symplectic) << label(family, s);
            EXPECT_EQ(symmetry_residual(table) <= table_tolerance(s), symmetric) << label(family, s);
        }
        const auto pair = [s](Family a, Family ahat) {
            return symplecticity_residual(tableau(a, s), tableau(ahat, s));
        };
        EXPECT_LE(high(pair(Family::lobatto_a, Family::lobatto_b)), high(table_tolerance(s)));
        EXPECT_LE(high(pair(Family::lobatto_c, Family::lobatto_cstar)), high(table_tolerance(s)));
        EXPECT_GE(high(pair(Family::lobatto_a, Family::lobatto_cstar)), 1e-5);
    }
}

TEST(Tableau, structure_holds_to_the_bit) {
    for (const std::size_t s : {2U, 3U, 4U, 7U, 10U, 11U, 40U}) {
        for (const auto family : lobatto_families) {
            const auto table = tableau(family, s);
            EXPECT_EQ(table.c.front(), 0);
            EXPECT_EQ(table.c.back(), 1);
            for (std::size_t i = 0; i < s; ++i) {
                const auto mirror = s - 1 - i;
                EXPECT_EQ(1 - table.c[i], table.c[mirror]) << label(family, s);
                EXPECT_EQ(table.b[i], table.b[mirror]) << label(family, s);
            }
        }
        const auto a = tableau(Family::lobatto_a, s);
        const auto b = tableau(Family::lobatto_b, s);
        const auto c = tableau(Family::lobatto_c, s);
        const auto cstar = tableau(Family::lobatto_cstar, s);
        const auto radau = tableau(Family::radau, s);
        EXPECT_EQ(radau.c.back(), 1);
        for (std::size_t k = 0; k < s; ++k) {
            EXPECT_EQ(a.a(0, k), 0);
            EXPECT_EQ(a.a(s - 1, k), a.b[k]);
            EXPECT_EQ(b.a(k, 0), b.b[0]);
            EXPECT_EQ(b.a(k, s - 1), 0);
            EXPECT_EQ(c.a(k, 0), c.b[0]);
            EXPECT_EQ(c.a(s - 1, k), c.b[k]);
            EXPECT_EQ(cstar.a(0, k), 0);
            EXPECT_EQ(cstar.a(k, s - 1), 0);
            EXPECT_EQ(radau.a(s - 1, k), radau.b[k]);
        }
    }
}

// Jay 1996 (2.7), with its two misprints mended: c = 1/2 -+ delta.
TEST(Tableau, the_eleven_lobatto_nodes_of_jay_are_met) {
    const auto table = tableau(Family::lobatto_a, 11);
    const double deltas[]{0.467000715204029567, 0.392241736831572209, 0.282617663498102503, 0.147879067793469696};
    const char* digits[]{"0.467000715204029567", "0.392241736831572209", "0.282617663498102503",
                         "0.147879067793469696"};
    for (std::size_t k = 0; k < 4; ++k) {
        const Wide delta = Wide{1} / 2 - table.c[k + 1];
        EXPECT_EQ(high(delta), deltas[k]);
        EXPECT_LE(high(wide_abs(delta - wide_from_text(digits[k]))), 0.51e-18);
    }
    EXPECT_EQ(table.c[5], Wide{1} / 2);
}

// Computed with 160 digits in mpmath: nodes as roots of the explicit polynomial, A from the Vandermonde matrix.
TEST(Tableau, forty_stages_lose_no_digit) {
    const auto expect = [](Wide found, const char* wanted, const char* what) {
        EXPECT_LE(high(wide_abs(found - wide_from_text(wanted))), high(4 * wide_epsilon)) << what;
    };
    const auto a = tableau(Family::lobatto_a, 40);
    expect(a.c[1], "0.002351035377825551547868980101655863", "Lobatto c_2");
    expect(a.b[1], "0.00394550579430030688064753129730539", "Lobatto b_2");
    expect(a.a(1, 38), "-0.000001510629309549657582478583925259021", "Lobatto IIIA a_2,39");
    expect(a.a(20, 7), "0.02195495987718666113128381586485991", "Lobatto IIIA a_21,8");
    const auto c = tableau(Family::lobatto_c, 40);
    expect(c.a(10, 30), "0.0006329877289732199519234681082945851", "Lobatto IIIC a_11,31");
    const auto gauss = tableau(Family::gauss, 40);
    expect(gauss.c[0], "0.0008811451447203998251886487897067538", "Gauss c_1");
    expect(gauss.b[0], "0.002260638549266595629235866439092666", "Gauss b_1");
    expect(gauss.a(10, 30), "0.0001065066504130495690210786260991694", "Gauss a_11,31");
    const auto radau = tableau(Family::radau, 40);
    // Radau weights are less fortunate: an error of the node counts s^2 times in P_(s-1).
    const auto expect_radau = [](Wide found, const char* wanted, const char* what) {
        EXPECT_LE(high(wide_abs(found - wide_from_text(wanted))), high(table_tolerance(40))) << what;
    };
    expect_radau(radau.c[0], "0.0009034447623217789932265597896596952", "Radau c_1");
    expect_radau(radau.b[0], "0.002317832615198250834401332958926527", "Radau b_1");
    expect_radau(radau.a(10, 30), "0.0002659771461142567080408948848918972", "Radau a_11,31");
    for (const auto family : families) {
        const auto [orders_b, orders_c, orders_d] = assumption_orders(family, 40);
        const auto table = tableau(family, 40);
        EXPECT_LE(high(residual_b(table, orders_b)), high(table_tolerance(40))) << name(family);
        EXPECT_LE(high(residual_c(table, orders_c)), high(table_tolerance(40))) << name(family);
        EXPECT_LE(high(residual_d(table, orders_d)), high(table_tolerance(40))) << name(family);
    }
}

TEST(Tableau, impossible_numbers_of_stages_are_refused_with_the_possible_ones) {
    const auto fault = [](Family family, std::size_t stages) -> std::string {
        try {
            tableau(family, stages);
        } catch (const InputError& error) {
            return error.what();
        }
        return "made";
    };
    EXPECT_EQ(fault(Family::lobatto_a, 1), "Lobatto IIIA methods have 2 to 40 stages, not 1");
    EXPECT_EQ(fault(Family::gauss, 0), "Gauss methods have 1 to 40 stages, not 0");
    EXPECT_EQ(fault(Family::radau, 41), "Radau IIA methods have 1 to 40 stages, not 41");
    EXPECT_EQ(fault(Family::gauss, 1), "made");
}

// (A0 Ahat0)^-1 of Jay 1996: rows 2..s of IIIA times the first s-1 columns of IIIB.
TEST(Tableau, the_matrix_of_the_constraint_stages_is_inverted) {
    for (std::size_t s = 2; s <= 11; ++s) {
        const auto a = tableau(Family::lobatto_a, s);
        const auto ahat = tableau(Family::lobatto_b, s);
        const std::size_t n = s - 1;
        std::vector<Wide> product(n * n, Wide{0});
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                for (std::size_t k = 0; k < s; ++k) {
                    product[i * n + j] += a.a(i + 1, k) * ahat.a(k, j);
                }
            }
        }
        const auto inverted = inverse(product, n);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                Wide sum = i == j ? -1 : 0;
                Wide size = 1;
                for (std::size_t k = 0; k < n; ++k) {
                    sum += inverted[i * n + k] * product[k * n + j];
                    size += wide_abs(inverted[i * n + k] * product[k * n + j]);
                }
                // Elimination of n columns, each with an error of some roundings of the terms.
                EXPECT_LE(high(wide_abs(sum)), high(10 * static_cast<Wide>(n) * wide_epsilon * size)) << s;
            }
        }
    }
}

TEST(Inverse, pivots_are_searched_and_singular_matrices_refused) {
    const std::vector<Wide> matrix{0, 2, 1, 1, 0, 0, 3, 0, 1};
    const std::vector<Wide> wanted{0, 1, 0, Wide{1} / 2, Wide{3} / 2, -Wide{1} / 2, 0, -3, 1};
    expect_entries(inverse(matrix, 3), wanted, "inverse");
    EXPECT_THROW(inverse({1, 2, 2, 4}, 2), InputError);
    EXPECT_THROW(inverse({1, 2, 2}, 2), InputError);
}

TEST(Wide, coefficients_reach_every_scalar_at_its_precision) {
    const Wide third = Wide{1} / 3;
    EXPECT_EQ(high(third), 1.0 / 3.0);
    EXPECT_LE(high(wide_abs(static_cast<Wide>(high(third)) + static_cast<Wide>(low(third)) - third)), 1e-32);
    EXPECT_NE(low(third), 0);
    EXPECT_EQ(as_scalar<double>(third), 1.0 / 3.0);
    EXPECT_EQ(as_scalar<Dual<double>>(third).value, 1.0 / 3.0);
    EXPECT_EQ(as_scalar<Dual<double>>(third).tangent[2], 0);
    EXPECT_EQ(as_scalar<Pack>(third).lane[5], 1.0 / 3.0);
    EXPECT_EQ(from_text<double>(as_scalar<Traced>(third).expression.text()), 1.0 / 3.0);
#ifdef LIBRATION_HAS_QUAD
    EXPECT_EQ(as_scalar<Quad>(third), Quad{1} / 3);
    EXPECT_EQ(as_scalar<Dual<Quad>>(third).value, Quad{1} / 3);
    EXPECT_EQ(as_scalar<Dual<Quad>>(third).tangent[0], 0);
#endif
}

}  // namespace
}  // namespace libration
