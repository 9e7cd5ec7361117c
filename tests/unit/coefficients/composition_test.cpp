// Compositions: every scheme of the catalogue satisfies all of its order conditions, and no more; wrong ones are found
// out.
#include "reports/order_conditions.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace libration {
namespace {

// What a registered scheme must reach in Quad; round-off leaves 1e-31 for the largest factors. long double has 15
// digits less.
const Wide registered = wide_epsilon < Wide{1e-30} ? Wide{1e-24} : Wide{1e-12};

// A condition that fails does so 17 decades above what a registered scheme must reach.
constexpr double clear_failure = 1e-7;

Wide worst_up_to(const std::vector<Wide>& residuals, int degree) {
    return *std::max_element(residuals.begin(), residuals.begin() + degree);
}

Wide worst(const CompositionScheme& scheme) { return worst_up_to(order_condition_residuals(scheme), scheme.order); }

TEST(Composition, every_registered_scheme_has_its_order_and_no_more) {
    for (const auto name : composition_names()) {
        const auto scheme = composition(name);
        const auto residuals = order_condition_residuals(scheme, scheme.order + 1);
        EXPECT_LE(high(worst_up_to(residuals, scheme.order)), high(registered)) << name;
        // A symmetric scheme has an even order: the first condition to fail is of odd degree.
        EXPECT_GE(high(residuals.back()), clear_failure) << name;
    }
}

TEST(Composition, every_registered_scheme_is_a_palindrome) {
    for (const auto name : composition_names()) {
        const auto scheme = composition(name);
        auto reversed = scheme.gamma;
        std::reverse(reversed.begin(), reversed.end());
        EXPECT_TRUE(reversed == scheme.gamma) << name;
        EXPECT_EQ(scheme.gamma.size() % 2, scheme.needs_adjoint ? 0U : 1U) << name;
    }
}

TEST(Composition, the_catalogue_has_the_published_sizes) {
    struct Size {
        const char* name;
        int order;
        bool needs_adjoint;
        std::size_t factors;
    };
    const Size sizes[]{{"yoshida4", 4, false, 3},     {"suzuki4", 4, false, 5},  {"mclachlan4", 4, true, 10},
                       {"blanesmoan4", 4, true, 12},  {"yoshida6", 6, false, 7}, {"kahanli6", 6, false, 9},
                       {"yoshida8", 8, false, 15},    {"suzuki8", 8, false, 15}, {"kahanli8", 8, false, 17},
                       {"sofroniou10", 10, false, 35}};
    ASSERT_EQ(composition_names().size(), std::size(sizes));
    for (std::size_t k = 0; k < std::size(sizes); ++k) {
        EXPECT_EQ(composition_names()[k], sizes[k].name);
        const auto scheme = composition(sizes[k].name);
        EXPECT_EQ(scheme.order, sizes[k].order) << sizes[k].name;
        EXPECT_EQ(scheme.needs_adjoint, sizes[k].needs_adjoint) << sizes[k].name;
        EXPECT_EQ(scheme.gamma.size(), sizes[k].factors) << sizes[k].name;
    }
}

// One digit changed at the twelfth place (the sixth without Quad), in any factor of any scheme and its mirror image.
TEST(Composition, a_changed_twelfth_digit_is_found_out_everywhere) {
    const Wide change = wide_epsilon < Wide{1e-30} ? Wide{1e-12} : Wide{1e-6};
    for (const auto name : composition_names()) {
        const auto scheme = composition(name);
        for (std::size_t k = 0; k < scheme.gamma.size(); ++k) {
            auto planted = scheme;
            planted.gamma[k] += change;
            EXPECT_GT(high(worst(planted)), high(change / 10)) << name << ", factor " << k + 1;
            // The sum mended in a neighbour and its mirror image: only the higher conditions can tell.
            const auto mirror = scheme.gamma.size() - 1 - k;
            const auto neighbour = k == 0 ? 1 : k - 1;
            // (Two equal factors move their power sums in second order only.)
            if (k == mirror || neighbour == mirror || scheme.gamma[k] == scheme.gamma[neighbour]) {
                continue;
            }
            planted = scheme;
            planted.gamma[k] += change;
            planted.gamma[mirror] += change;
            planted.gamma[neighbour] -= change;
            planted.gamma[scheme.gamma.size() - 1 - neighbour] -= change;
            EXPECT_GT(high(worst(planted)), high(100 * registered)) << name << ", factors " << k + 1;
        }
    }
}

// Five power sums vanish, yet the conditions with several letters do not.
TEST(Composition, power_sums_alone_do_not_make_the_order) {
    auto scheme = composition("kahanli8");
    std::swap(scheme.gamma[0], scheme.gamma[1]);
    std::swap(scheme.gamma[15], scheme.gamma[16]);
    Wide cubes = 0;
    for (const Wide factor : scheme.gamma) {
        cubes += factor * factor * factor;
    }
    EXPECT_LE(high(wide_abs(cubes)), high(registered));
    EXPECT_GT(high(worst(scheme)), clear_failure);
}

// One step of length h leaves the whole error of the base: 1 at the word of one letter Y_d, 1/2 at those of two
// letters.
TEST(Composition, every_error_term_of_the_base_is_seen) {
    const std::vector<Wide> one{Wide{1}};
    const auto symmetric = order_condition_residuals(one, {.order = 2}, 9);
    const auto fourth = order_condition_residuals(one, {.order = 4}, 9);
    const auto adjoint = order_condition_residuals(one, {.order = 1, .with_adjoint = true}, 9);
    for (std::size_t degree = 1; degree <= 9; ++degree) {
        const double letters = degree % 2 == 1 ? 1 : 0.5;
        EXPECT_EQ(high(symmetric[degree - 1]), degree < 3 ? 0 : letters) << degree;
        EXPECT_EQ(high(fourth[degree - 1]), degree < 5 ? 0 : letters) << degree;
        EXPECT_EQ(high(adjoint[degree - 1]), degree < 2 ? 0 : 1) << degree;
    }
}

// Which of the two comes first the conditions cannot tell: exchanging base and adjoint only changes signs.
TEST(Composition, every_other_step_is_adjoint) {
    // Two half steps, adjoint and base, are the symmetric method of order 2; order 3 is missed by
    // exp(-Y2/4 + Y1/2) exp(Y2/4 + Y1/2) = exp(Y1 + [Y1,Y2]/4 + ..): 1/4 Y1 Y2, with Y3/4 beside it.
    const std::vector<Wide> halves{Wide{1} / 2, Wide{1} / 2};
    const CompositionBase base{.order = 1, .with_adjoint = true};
    const auto residuals = order_condition_residuals(halves, base, 3);
    EXPECT_EQ(residuals[0], 0);
    EXPECT_EQ(residuals[1], 0);
    EXPECT_EQ(high(residuals[2]), 0.25);
    // Factors that are no palindrome: sum over adjoint steps of f^2 minus that over base steps, here (1/4)^2 - (3/4)^2.
    const std::vector<Wide> unequal{Wide{1} / 4, Wide{3} / 4};
    EXPECT_EQ(high(order_condition_residuals(unequal, base, 2)[1]), 0.5);
}

TEST(Composition, triple_jump_and_suzuki_raise_the_order_of_their_base_by_two) {
    for (const int order : {2, 4, 6, 8}) {
        for (const auto& gamma : {triple_jump(order), suzuki(order)}) {
            const auto residuals = order_condition_residuals(gamma, {.order = order}, order + 3);
            EXPECT_LE(high(worst_up_to(residuals, order + 2)), high(registered)) << order;
            EXPECT_GT(high(residuals.back()), clear_failure) << order;
        }
        // The wrong root for this base leaves the order as it was.
        const auto wrong = order_condition_residuals(triple_jump(order + 2), {.order = order}, order + 1);
        EXPECT_GT(high(wrong.back()), clear_failure) << order;
    }
    EXPECT_THROW(triple_jump(1), InputError);
    EXPECT_THROW(triple_jump(3), InputError);
    EXPECT_THROW(suzuki(0), InputError);
}

TEST(Composition, nested_triple_jumps_have_the_order_of_the_nest) {
    std::vector<Wide> nested;
    for (const Wide outer : triple_jump(4)) {
        for (const Wide inner : triple_jump(2)) {
            nested.push_back(outer * inner);
        }
    }
    const auto residuals = order_condition_residuals(nested, {.order = 2}, 7);
    EXPECT_LE(high(worst_up_to(residuals, 6)), high(registered));
    EXPECT_GT(high(residuals.back()), clear_failure);
}

TEST(Composition, unknown_names_are_met_with_a_suggestion) {
    const auto fault = [](const char* name) -> std::string {
        try {
            composition(name);
        } catch (const InputError& error) {
            return error.what();
        }
        return "known";
    };
    EXPECT_EQ(fault("yosida6"), "unknown composition 'yosida6': did you mean 'yoshida6'?");
    EXPECT_NE(fault("forest-ruth").find("known are yoshida4, suzuki4"), std::string::npos);
}

TEST(Composition, every_reference_is_in_the_bibliography) {
    std::ifstream file(LIBRATION_SOURCE_DIR "/docs/references.bib");
    std::stringstream text;
    text << file.rdbuf();
    for (const auto name : composition_names()) {
        const auto key = '{' + std::string(composition(name).reference) + ',';
        EXPECT_NE(text.str().find(key), std::string::npos) << name;
    }
}

}  // namespace
}  // namespace libration
