// Expressions as mathematics: what a reader expects, nothing ambiguous, and no harm from expressions of any size.
#include <libration/expression/differentiate.hpp>
#include <libration/expression/latex.hpp>
#include <libration/expression/parse.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace libration {
namespace {

std::string latex(const std::string& text) { return to_latex(parse(text)); }

TEST(Latex, products_have_no_stars_and_numbers_stand_in_front) {
    EXPECT_EQ(latex("x*3"), "3 x");
    EXPECT_EQ(latex("2*g*y"), "2 g y");
    EXPECT_EQ(latex("2*3^x"), "2 \\cdot 3^{x}");
    EXPECT_EQ(latex("mass*g*y"), "g \\, \\mathrm{mass} \\, y");
    EXPECT_EQ(latex("a*sin(x)*(b + c)"), "a (b + c) \\sin x");
    EXPECT_EQ(latex("b*(1 - c)"), "b (1 - c)");
    EXPECT_EQ(latex("x*x"), "x^{2}");
    EXPECT_EQ(latex("-x^2"), "-x^{2}");
    EXPECT_EQ(latex("(-x)^2"), "(-x)^{2}");
    EXPECT_EQ(latex("0*log(x)"), "0 \\ln x");
}

TEST(Latex, sums_collect_equal_terms_and_carry_signs) {
    EXPECT_EQ(latex("a + -b"), "a - b");
    EXPECT_EQ(latex("a - (b - c)"), "a + c - b");
    EXPECT_EQ(latex("-(x + y)"), "-x - y");
    EXPECT_EQ(latex("x + x"), "2 x");
    EXPECT_EQ(latex("1 - cos(theta)"), "1 - \\cos \\theta");
    EXPECT_EQ(latex("(2*x + 2*y)/2 + z"), "x + y + z");
    EXPECT_EQ(latex("(x + 2*y)/2 + z"), "\\frac{x + 2 y}{2} + z");
    EXPECT_EQ(latex("x10 + x9"), "x_{9} + x_{10}");
}

TEST(Latex, the_order_of_building_does_not_show) {
    const auto late = symbol("aaa_built_last_a"), early = symbol("zzz_built_first_z");
    EXPECT_EQ(to_latex(early + late), to_latex(late + early));
    EXPECT_EQ(to_latex(symbol("order_2") * symbol("order_1")), "\\mathrm{order}_{1} \\, \\mathrm{order}_{2}");
}

TEST(Latex, fractions_powers_and_roots) {
    EXPECT_EQ(latex("g*y1/2 - sqrt(x^2 + 1)"), "\\frac{g y_{1}}{2} - \\sqrt{x^{2} + 1}");
    EXPECT_EQ(latex("(x + 1)*(x + 2)/(y*(z + 1))"), "\\frac{(x + 1) (x + 2)}{y (z + 1)}");
    EXPECT_EQ(latex("x/y/z"), "\\frac{x}{y z}");
    EXPECT_EQ(latex("x/(y/z)"), "\\frac{x z}{y}");
    EXPECT_EQ(latex("x^-3"), "\\frac{1}{x^{3}}");
    EXPECT_EQ(latex("x^(-1/2)"), "\\frac{1}{\\sqrt{x}}");
    EXPECT_EQ(latex("sqrt(x + y)^3"), "(x + y)^{3/2}");
    EXPECT_EQ(latex("sqrt(x^2)"), "\\sqrt{x^{2}}");  // not x, which may be negative
    EXPECT_EQ(latex("cbrt(x)"), "\\sqrt[3]{x}");
    EXPECT_EQ(latex("x^y^z"), "x^{y^{z}}");
    EXPECT_EQ(latex("(x^y)^z"), "(x^{y})^{z}");
    EXPECT_EQ(latex("(-2)^x"), "(-2)^{x}");
    EXPECT_EQ(latex("x*y/x"), "\\frac{x y}{x}");  // undefined where x = 0
}

TEST(Latex, numbers_as_people_write_them) {
    EXPECT_EQ(latex("9.81*y"), "9.81 y");
    EXPECT_EQ(latex("0.5*x"), "\\frac{x}{2}");
    EXPECT_EQ(latex("0.1*x"), "0.1 x");
    EXPECT_EQ(latex("x/10"), "\\frac{x}{10}");
    EXPECT_EQ(latex("1/3"), "\\frac{1}{3}");
    EXPECT_EQ(latex("1e-3"), "10^{-3}");
    EXPECT_EQ(latex("1.5e-7*x*y"), "1.5 \\cdot 10^{-7} x y");
    EXPECT_EQ(latex("1e16*x"), "10^{16} x");
    EXPECT_EQ(latex("6.02214076e23*x"), "6.02214076 \\cdot 10^{23} x");
    EXPECT_EQ(latex("1234567"), "1234567");
    EXPECT_EQ(latex("x - 1/3"), "x - \\frac{1}{3}");
    EXPECT_EQ(latex("2*pi*r"), "2 \\pi r");
    EXPECT_EQ(latex("0.1234567890123456789*x"), "0.1234567890123456789 x");
}

TEST(Latex, functions_conditions_and_cases) {
    EXPECT_EQ(latex("sin(x)"), "\\sin x");
    EXPECT_EQ(latex("sin(2*x)^2"), "\\sin^{2}(2 x)");
    EXPECT_EQ(latex("sin(x)^-1"), "\\frac{1}{\\sin x}");
    EXPECT_EQ(latex("sin(x/2)"), "\\sin\\left(\\frac{x}{2} \\right)");
    EXPECT_EQ(latex("exp(a - b)"), "\\mathrm{e}^{a - b}");
    EXPECT_EQ(latex("abs(x/2)"), "\\left\\lvert \\frac{x}{2} \\right\\rvert");
    EXPECT_EQ(latex("atan2(x, -y)"), "\\operatorname{atan2}(x, -y)");
    EXPECT_EQ(latex("min(a, b, c)"), "\\min(a, b, c)");
    EXPECT_EQ(latex("hypot(a, b)"), "\\sqrt{a^{2} + b^{2}}");
    EXPECT_EQ(latex("(i + 1) % n"), "(i + 1) \\bmod n");
    EXPECT_EQ(latex("2*floor(x)"), "2 \\lfloor x \\rfloor");
    EXPECT_EQ(
        latex("if(x < 1, x^2, if(x <= 2 and y > 1, 3, sin(x)))"),
        "\\begin{cases} x^{2} & \\text{if } x \\lt 1 \\\\ 3 & \\text{if } x \\le 2 \\land 1 \\lt y \\\\ \\sin x & "
        "\\text{otherwise} \\end{cases}");
}

TEST(Latex, names_of_models) {
    EXPECT_EQ(symbol_latex("x1"), "x_{1}");
    EXPECT_EQ(symbol_latex("theta"), "\\theta");
    EXPECT_EQ(symbol_latex("θ2"), "\\theta_{2}");
    EXPECT_EQ(symbol_latex("p_x1"), "p_{x_{1}}");
    EXPECT_EQ(symbol_latex("v_theta1"), "\\dot{\\theta}_{1}");
    EXPECT_EQ(symbol_latex("lambda_1"), "\\lambda_{1}");
    EXPECT_EQ(symbol_latex("lambda_rod"), "\\lambda_{\\mathrm{rod}}");
    EXPECT_EQ(symbol_latex("lambda_rod2"), "\\lambda_{\\mathrm{rod}_{2}}");
    EXPECT_EQ(symbol_latex("lambda_rod[3]"), "\\lambda_{\\mathrm{rod},3}");
    EXPECT_EQ(symbol_latex("lambda_top.rigid[1,2]"), "\\lambda_{12}^{\\mathrm{top}}");
    EXPECT_EQ(symbol_latex("r[0].x"), "r_{0,x}");
    EXPECT_EQ(symbol_latex("r[(j * n) + i].y"), "r_{i+j n,y}");
    EXPECT_EQ(symbol_latex("v_r[i - 1].z"), "\\dot{r}_{i-1,z}");
    EXPECT_EQ(symbol_latex("top.Q[3,3]"), "Q_{33}^{\\mathrm{top}}");
    EXPECT_EQ(symbol_latex("top.r.x"), "r_{x}^{\\mathrm{top}}");
    EXPECT_EQ(symbol_latex("tip_speed"), "\\mathrm{tip}_{\\mathrm{speed}}");
    EXPECT_EQ(symbol_latex("k_B"), "k_{B}");
    EXPECT_EQ(symbol_latex("_"), "\\mathrm{\\_}");
    EXPECT_EQ(to_latex(pow(symbol("top.Q[3,3]"), 2)), "(Q_{33}^{\\mathrm{top}})^{2}");
    EXPECT_EQ(to_latex(fresh_symbol("z")), "z");
}

TEST(Latex, what_is_not_a_letter_is_escaped) {
    const auto text = text_latex("<script>&{}#$%_^~\\");
    EXPECT_EQ(text.find('<'), std::string::npos);
    EXPECT_EQ(text.find('>'), std::string::npos);
    EXPECT_EQ(std::ranges::count(text, '{'), std::ranges::count(text, '}'));
}

TEST(Latex, lengths_lose_their_roots) {
    const auto d = written_length("\\lVert r \\rVert");
    EXPECT_EQ(to_latex(sqrt(pow(d, 2))), "\\lVert r \\rVert");
    EXPECT_EQ(to_latex(pow(1 / pow(d, 2), 3)), "\\frac{1}{\\lVert r \\rVert^{6}}");
}

TEST(Latex, deep_and_huge_expressions_are_cut_short) {
    auto deep = symbol("x"), shared = symbol("x"), sum = symbol("x");
    for (int k = 0; k < 2900; ++k) {
        deep = sin(deep);
        sum += symbol("y" + std::to_string(k));
    }
    for (int k = 0; k < 5000; ++k) {
        shared = shared * shared + 1;
    }
    EXPECT_LT(to_latex(deep).size(), 1000U);
    EXPECT_NE(to_latex(deep).find("\\ldots"), std::string::npos);
    EXPECT_EQ(to_latex(shared), "\\ldots");
    EXPECT_EQ(to_latex(sum), "\\ldots");
    EXPECT_EQ(to_latex(derivative(shared, symbol("x"))), "\\ldots");
}

}  // namespace
}  // namespace libration
