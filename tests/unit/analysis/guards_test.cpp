// Where formulas are not smooth, along straight lines through the plane.
#include "analysis/guards.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace libration {
namespace {

// (x, y) = (t, 1) from t = 0 to 2 in steps of 0.01.
GuardWatch watched(const std::string& potential) {
    const auto model =
        Model::parse(fmt::format("[tables]\nkink = {{ x = [-1, 0.6, 3], y = [0, 1, 0] }}\n"
                                 "spline = {{ x = [-2, -1, 0.6, 3], y = [0, 1, 0, 2], kind = \"cubic\" "
                                 "}}\n[coordinates]\nq = [\"x\", \"y\"]\n[dynamics]\nmass = 1\npotential = \"{}\"\n"
                                 "[initial]\nq = [0, 1]\n",
                                 potential),
                     "line");
    GuardWatch watch(model);
    const std::vector<double> v{1, 0};
    for (int n = 0; n <= 200; ++n) {
        const std::vector<double> q{n * 0.01, 1};
        watch.see({n * 0.01, q, {}, v}, v);
    }
    return watch;
}

TEST(Guards, are_met_where_a_formula_changes_its_branch) {
    for (const auto* kinked :
         {"if(x > 0.6, x, 0)", "if(x >= 0.6 and y > 0, x, 0)", "abs(x - 0.6)", "max(x, 0.6)", "min(x, 0.6*y)",
          "sign(x - 0.6)", "floor(x/0.6)", "sqrt((x - 0.6)^2)", "((x - 0.6)^2)^(3/2)", "log((x - 0.6)^2)",
          "if(t > 0.6, x, 0)", "1/(x - 0.6)", "mod(x, 0.6*y)^2", "interp(kink, x)", "interp(spline, x)"}) {
        const auto watch = watched(kinked);
        EXPECT_FALSE(watch.empty()) << kinked;
        EXPECT_NEAR(watch.first_change().time, 0.6, 0.02) << kinked;
        EXPECT_TRUE(std::isinf(watch.first_change_after(0.7).time)) << kinked;
    }
}

TEST(Guards, that_are_not_met_do_not_change) {
    for (const auto* smooth :
         {"if(x > 3, x, 0)", "abs(x + 1)", "sqrt(x^2 + y^2)", "1/(x^2 + y^2)", "sqrt((x - 0.6)^2 + 0.01)",
          "(x^2 + y^2)^(-3/2)", "log(1 + x^2)", "mod(x, 5)", "interp(kink, x + 0.8)", "interp(kink, 3 + x)"}) {
        EXPECT_TRUE(std::isinf(watched(smooth).first_change().time)) << smooth;
    }
}

TEST(Guards, of_tables_and_remainders_are_named) {
    EXPECT_EQ(watched("interp(kink, x)").first_change().what, "interp(kink, x)");
    EXPECT_EQ(watched("2*interp(spline, x - 0.1)").first_change().what, "interp(spline, x - 1/10)");
    EXPECT_EQ(watched("mod(x, 0.6)").first_change().what, "x / (3/5)");
    EXPECT_TRUE(watched("interp(spline, x)").branches());
}

// The rows of a hinge choose directions across its axis by the sign of a parameter.
TEST(Guards, of_parameters_alone_are_no_branches) {
    const std::string text = "[parameters]\na = 0.6\nm = [1, 2]\n[coordinates]\nq = [\"x\", \"y\"]\n[dynamics]\n"
                             "mass = 1\n[initial]\nq = [0, 1]\n";
    const auto watch = [&](const std::string& energy) { return GuardWatch(Model::parse(text + energy, "line")); };
    EXPECT_TRUE(watch("[[energy]]\nterm = \"if(a < 0.5, x, y) + sign(a)*x^2\"\n").empty());
    EXPECT_TRUE(watch("[[energy]]\nfor = \"i in 0..1\"\nterm = \"abs(m[i] - a)*x\"\n").empty());
    EXPECT_TRUE(watch("[[energy]]\nterm = \"if(a < x, x, y)\"\n").branches());
    EXPECT_TRUE(watch("[[energy]]\nterm = \"if(a < t, x, y)\"\n").branches());
    EXPECT_TRUE(watch("[[forces]]\nname = \"f\"\nclass = \"driving\"\non = { x = \"abs(a)\" }\n").empty());
    EXPECT_TRUE(watch("[[forces]]\nname = \"f\"\nclass = \"driving\"\non = { x = \"abs(v_x)\" }\n").branches());
}

TEST(Guards, are_not_in_formulas_that_are_analytic_everywhere) {
    const auto watch = watched("x^4 + sin(x*y) - exp(y) + x^3/3");
    EXPECT_TRUE(watch.empty());
    EXPECT_FALSE(watch.branches());
    EXPECT_TRUE(watched("abs(x)").branches());
    EXPECT_FALSE(watched("sqrt(1 + x)").branches());
}

}  // namespace
}  // namespace libration
