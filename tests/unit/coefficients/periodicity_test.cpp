// The interval of periodicity against Jay 1998 and zeros found with many digits.
#include "families.hpp"

#include "reports/periodicity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace libration {
namespace {

// Jay 1998, Theorem 5.7. Ends by bisection on the trace of (30) in 40 digits (mpmath), from nodes and weights of their
// own.
TEST(Periodicity, of_IIIA_IIIB_ends_where_the_trace_says) {
    const double ends[]{2, std::sqrt(8.0), 3.11271764816422, 3.14044510083094};
    for (std::size_t s = 2; s <= 5; ++s) {
        const auto found = periodicity(tableau(Family::lobatto_a, s), tableau(Family::lobatto_b, s));
        ASSERT_EQ(found.kind, PeriodicityKind::interval) << s;
        EXPECT_NEAR(high(found.end), ends[s - 2], 1e-14) << s;
        EXPECT_EQ(found.passed_over, 0U) << s;
    }
}

TEST(Periodicity, eigenvalues_leave_the_circle_there_and_come_back) {
    for (std::size_t s = 3; s <= 8; ++s) {
        const auto a = tableau(Family::lobatto_a, s);
        const auto b = tableau(Family::lobatto_b, s);
        const auto found = periodicity(a, b);
        ASSERT_TRUE(found.stable_again) << s;
        const Wide width = *found.stable_again - found.end;
        EXPECT_NEAR(stability_matrix_moduli(a, b, found.end - width).larger, 1, 1e-14) << s;
        EXPECT_GT(stability_matrix_moduli(a, b, found.end + width / 2).larger, 1 + high(width) / 100) << s;
        EXPECT_NEAR(stability_matrix_moduli(a, b, *found.stable_again + width).larger, 1, 1e-14) << s;
    }
    const auto narrow = periodicity(tableau(Family::lobatto_a, 12), tableau(Family::lobatto_b, 12));
    EXPECT_LT(high(*narrow.stable_again - narrow.end), 1e-15);  // no scan sees it
}

// (21b) and D(1) make the stability matrix of IIIA with any of the others the same, so IIIC damps nothing there.
TEST(Periodicity, of_IIIA_with_another_family_is_the_same) {
    const auto a = tableau(Family::lobatto_a, 4);
    for (const auto family : {Family::lobatto_c, Family::lobatto_cstar, Family::lobatto_d}) {
        EXPECT_NEAR(high(periodicity(a, tableau(family, 4)).end), 3.11271764816422, 1e-14) << name(family);
    }
}

TEST(Periodicity, without_symmetry_comes_from_the_trace_too) {
    const auto c = tableau(Family::lobatto_c, 3);
    const auto found = periodicity(c, symplectic_conjugate(c));  // by scan of the eigenvalues: 2.3349, 2.7446
    ASSERT_EQ(found.kind, PeriodicityKind::interval);
    EXPECT_NEAR(high(found.end), 2.3349, 1e-4);
    EXPECT_NEAR(high(*found.stable_again), 2.7446, 1e-4);
    EXPECT_EQ(periodicity(c, c).kind, PeriodicityKind::none);
}

// Ends and widths from the zeros of (30) in 120 digits (mpmath), from nodes and weights of their own.
TEST(Periodicity, of_many_stages_without_symmetry_ends_at_the_first_window_above_round_off) {
    struct Known {
        Family family;
        std::size_t stages, passed_over;
        double width;
    };
    for (const auto& known :
         {Known{Family::lobatto_c, 16, 1, 2.93174e-18}, Known{Family::lobatto_c, 20, 1, 1.02639e-26},
          Known{Family::lobatto_c, 40, 8, 2.66812e-26}, Known{Family::lobatto_cstar, 40, 8, 2.66812e-26},
          Known{Family::radau, 15, 0, 7.35377e-26}, Known{Family::radau, 20, 2, 1.90206e-20}}) {
        const auto a = tableau(known.family, known.stages);
        const auto found = periodicity(a, symplectic_conjugate(a));
        ASSERT_EQ(found.kind, PeriodicityKind::interval) << label(known.family, known.stages);
        EXPECT_EQ(found.passed_over, known.passed_over) << label(known.family, known.stages);
        EXPECT_NEAR(high(found.end), static_cast<double>(known.passed_over + 1) * std::acos(-1.0), 1e-13);
        ASSERT_TRUE(found.stable_again) << label(known.family, known.stages);
        EXPECT_NEAR(high(*found.stable_again - found.end), known.width, known.width / 100)
            << label(known.family, known.stages);
    }
}

TEST(Periodicity, of_many_stages_is_never_taken_for_P_stable) {
    for (const std::size_t s : {2, 14, 17, 18, 26}) {
        for (const auto family : {Family::lobatto_a, Family::lobatto_c, Family::radau}) {
            const auto a = tableau(family, s);
            EXPECT_EQ(periodicity(a, symplectic_conjugate(a)).kind, PeriodicityKind::interval) << label(family, s);
        }
    }
    const auto c = tableau(Family::lobatto_c, max_stages);
    EXPECT_EQ(periodicity(c, c).kind, PeriodicityKind::none);  // near mu = 0 even |R| of IIIC is 1 to round-off
}

// One stage, a and 1 - a: alpha - alpha' = mu^2 (2a - 1)/(1 + mu^2 a (1 - a)), beta = mu/(...), unstable from 2/|2a -
// 1| on.
TEST(Periodicity, is_not_claimed_beyond_what_was_looked_at) {
    const auto pair = [](double a) {
        return periodicity({1, {Wide{0.5}}, {1}, {Wide{a}}}, {1, {Wide{0.5}}, {1}, {1 - Wide{a}}});
    };
    EXPECT_EQ(pair(0.375).end, 8);
    EXPECT_EQ(pair(0.495).kind, PeriodicityKind::not_found);  // 200
    EXPECT_EQ(pair(0.5).kind, PeriodicityKind::everywhere);
}

}  // namespace
}  // namespace libration
