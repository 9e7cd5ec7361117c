// Closed forms found in decimals: known tables, and no form where there is none.
#include "reports/closed_form.hpp"

#include <gtest/gtest.h>

namespace libration {
namespace {

std::string text(const std::optional<ClosedForm>& form) { return form ? to_string(*form) : "none"; }

std::vector<std::string> texts(const ClosedForms& forms) {
    std::vector<std::string> result;
    for (const auto& form : forms) {
        result.push_back(text(form));
    }
    return result;
}

using Texts = std::vector<std::string>;

TEST(ClosedForm, rational_numbers_and_their_roots_are_recognised) {
    EXPECT_EQ(text(recognised(Wide{1} / 3)), "1/3");
    EXPECT_EQ(text(recognised(Wide{-7} / 8)), "-7/8");
    EXPECT_EQ(text(recognised(Wide{0})), "0");
    EXPECT_EQ(text(recognised(Wide{-2})), "-2");
    EXPECT_EQ(text(recognised(wide_sqrt(Wide{8}))), "2 sqrt(2)");
    EXPECT_EQ(text(recognised(-1 / (2 * wide_sqrt(Wide{3})))), "-sqrt(3)/6");
}

TEST(ClosedForm, what_is_no_such_number_is_not_recognised) {
    EXPECT_FALSE(recognised(wide_sin(Wide{1})));
    EXPECT_FALSE(recognised(wide_root(Wide{2}, 3)));
    EXPECT_FALSE(recognised(Wide{1} / 3 + Wide{1e-15}));  // near, in double the same
    EXPECT_FALSE(recognised_rational(wide_sqrt(Wide{2})));
    EXPECT_FALSE(recognised_rational(Wide{1} / 10'000'019));  // rational, but with a denominator beyond 2^20
}

// Jay 1998, Tables 1 to 3; the row that is missing in print is (IIIC + IIIC*)/2.
TEST(ClosedForm, lobatto_tableaux_of_three_stages_are_the_printed_ones) {
    const auto entries = [](Family family) { return texts(exact_tableau(tableau(family, 3)).A); };
    EXPECT_EQ(entries(Family::lobatto_a), (Texts{"0", "0", "0", "5/24", "1/3", "-1/24", "1/6", "2/3", "1/6"}));
    EXPECT_EQ(entries(Family::lobatto_b), (Texts{"1/6", "-1/6", "0", "1/6", "1/3", "0", "1/6", "5/6", "0"}));
    EXPECT_EQ(entries(Family::lobatto_c), (Texts{"1/6", "-1/3", "1/6", "1/6", "5/12", "-1/12", "1/6", "2/3", "1/6"}));
    EXPECT_EQ(entries(Family::lobatto_cstar), (Texts{"0", "0", "0", "1/4", "1/4", "0", "0", "1", "0"}));
    EXPECT_EQ(entries(Family::lobatto_d),
              (Texts{"1/12", "-1/6", "1/12", "5/24", "1/3", "-1/24", "1/12", "5/6", "1/12"}));
}

// Hairer and Wanner, Solving Ordinary Differential Equations II, Tables IV.5.1, IV.5.6, IV.5.7.
TEST(ClosedForm, tableaux_with_one_root_are_the_known_ones) {
    const auto gauss2 = exact_tableau(tableau(Family::gauss, 2));
    EXPECT_EQ(texts(gauss2.c), (Texts{"(3 - sqrt(3))/6", "(3 + sqrt(3))/6"}));
    EXPECT_EQ(texts(gauss2.A), (Texts{"1/4", "(3 - 2 sqrt(3))/12", "(3 + 2 sqrt(3))/12", "1/4"}));
    EXPECT_EQ(texts(exact_tableau(tableau(Family::gauss, 3)).c),
              (Texts{"(5 - sqrt(15))/10", "1/2", "(5 + sqrt(15))/10"}));
    const auto radau3 = exact_tableau(tableau(Family::radau, 3));
    EXPECT_EQ(texts(radau3.b), (Texts{"(16 - sqrt(6))/36", "(16 + sqrt(6))/36", "1/9"}));
    EXPECT_EQ(text(radau3.A[1]), "(296 - 169 sqrt(6))/1800");
    const auto lobatto4 = exact_tableau(tableau(Family::lobatto_a, 4));
    EXPECT_EQ(text(lobatto4.A[4]), "(11 + sqrt(5))/120");
    EXPECT_EQ(text(lobatto4.A[6]), "(25 - 13 sqrt(5))/120");
    const auto lobatto5 = exact_tableau(tableau(Family::lobatto_a, 5));
    EXPECT_EQ(text(lobatto5.A[5]), "(119 + 3 sqrt(21))/1960");
}

TEST(ClosedForm, forms_agree_with_the_entries_and_are_complete_up_to_the_known_number_of_stages) {
    struct Case {
        Family family;
        std::size_t most;  // stages with closed forms
    };
    for (const auto& [family, most] :
         {Case{Family::gauss, 3}, Case{Family::radau, 3}, Case{Family::lobatto_a, 5}, Case{Family::lobatto_b, 5},
          Case{Family::lobatto_c, 5}, Case{Family::lobatto_cstar, 5}, Case{Family::lobatto_d, 5}}) {
        for (std::size_t s = 2; s <= 7; ++s) {
            const auto table = tableau(family, s);
            const auto exact = exact_tableau(table);
            EXPECT_EQ(exact.complete(), s <= most) << name(family) << ", s = " << s;
            for (std::size_t k = 0; k < exact.A.size(); ++k) {
                if (exact.A[k]) {
                    EXPECT_LE(high(wide_abs(value(*exact.A[k]) - table.A[k])), high(64 * wide_epsilon));
                }
            }
        }
    }
    EXPECT_EQ(text(exact_tableau(tableau(Family::gauss, 7)).b[3]), "256/1225");  // the only rational weight
}

}  // namespace
}  // namespace libration
