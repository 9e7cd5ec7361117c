// The mathematics of models: every built-in problem, and what small ones say word for word.
#include <libration/model/to_text.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace libration {
namespace {

using Lines = std::vector<std::string>;

Lines equations(const std::string& text) { return latex_equations(Model::parse(text, "model")); }

bool has(const Lines& lines, const std::string& line) { return std::ranges::find(lines, line) != lines.end(); }

// Text of LaTeX in braces, brackets and environments that close, \left with \right, commands and single letters only.
std::string fault_in(const std::string& line) {
    std::string open;
    int fences = 0, environments = 0;
    for (std::size_t k = 0; k < line.size(); ++k) {
        const auto rest = line.substr(k);
        fences += rest.starts_with("\\left") ? 1 : 0;
        fences -= rest.starts_with("\\right") ? 1 : 0;
        environments += rest.starts_with("\\begin{") ? 1 : (rest.starts_with("\\end{") ? -1 : 0);
        const bool escaped = k > 0 && line[k - 1] == '\\';
        if (line[k] == '*' || line[k] == '<' || line[k] == '>' || line[k] == '#' || line[k] == '%' || line[k] == '$') {
            return std::string("raw ") + line[k];
        }
        if ((line[k] == '_' || line[k] == '^') && !escaped && rest.substr(1, 1) != "{") {
            return "a bare index";
        }
        if (line[k] == '{' || line[k] == '(') {
            open += line[k];
        } else if (line[k] == '}' || line[k] == ')') {
            if (open.empty() || open.back() != (line[k] == '}' ? '{' : '(')) {
                return "brackets that do not match";
            }
            open.pop_back();
        }
    }
    return !open.empty()       ? "an open bracket"
           : fences != 0       ? "\\left without \\right"
           : environments != 0 ? "\\begin"
                               : "";
}

TEST(Equations, every_problem_is_valid_mathematics) {
    for (const auto& problem : problems()) {
        const auto lines = latex_equations(Model::load(problem.name));
        EXPECT_GE(lines.size(), 2U) << problem.name;
        for (const auto& line : lines) {
            EXPECT_EQ(fault_in(line), "") << problem.name << ": " << line;
            EXPECT_NE(line.find('&'), std::string::npos) << problem.name << ": " << line;
            EXPECT_EQ(line.find("\\ldots \\ldots"), std::string::npos) << problem.name << ": " << line;
        }
    }
}

TEST(Equations, the_check_sees_faults) {
    EXPECT_NE(fault_in("a*b"), "");
    EXPECT_NE(fault_in("x_1"), "");
    EXPECT_NE(fault_in("\\frac{a}{b"), "");
    EXPECT_NE(fault_in("\\left( a )"), "");
}

TEST(Equations, of_the_pendulum) {
    EXPECT_EQ(latex_equations(Model::load("pendulum")),
              (Lines{"H &= \\frac{p_{x}^{2} + p_{y}^{2}}{2 m} + g m y",
                     "0 &= x^{2} + y^{2} - l^{2} \\qquad (\\lambda_{\\mathrm{rod}})", "\\dot{x} &= \\frac{p_{x}}{m}",
                     "\\dot{y} &= \\frac{p_{y}}{m}", "\\dot{p}_{x} &= -2 \\lambda_{\\mathrm{rod}} x",
                     "\\dot{p}_{y} &= -g m - 2 \\lambda_{\\mathrm{rod}} y"}));
}

TEST(Equations, families_are_sums_over_their_indices) {
    const auto chain = latex_equations(Model::load("chain"));
    EXPECT_EQ(chain[0], "H &= \\sum_{i=0}^{9} \\frac{\\lVert \\mathbf{p}_{i} \\rVert^{2}}{2 m} + "
                        "\\sum_{i=0}^{9} g m r_{i,y}");
    EXPECT_TRUE(has(chain, "0 &= \\lVert \\mathbf{r}_{i} - \\mathbf{r}_{i-1} \\rVert^{2} - l^{2} \\qquad "
                           "(\\lambda_{\\mathrm{rod},i}),\\; i = 1, \\ldots, 9"));
    EXPECT_NE(latex_equations(Model::load("argon"))[0].find("\\sum_{i=1}^{6}\\sum_{j=0}^{i-1}"), std::string::npos);
}

TEST(Equations, a_family_over_a_table_names_the_table) {
    const auto lines = equations(R"(
[parameters]
bonds = [[0, 1], [0, 2]]
[points]
r = { count = 3, dimension = 2, mass = 1 }
[[constraint]]
name = "bond"
for = "(i, j) in bonds"
equation = "norm2(r[i] - r[j]) - 1"
[initial.r]
for = "i in 0..2"
q = ["2*i - i^2", "(i^2 - i)/2"]
v = [0, 0]
)");
    EXPECT_TRUE(has(lines, "0 &= \\lVert \\mathbf{r}_{i} - \\mathbf{r}_{j} \\rVert^{2} - 1 \\qquad "
                           "(\\lambda_{\\mathrm{bond},i,j}),\\; (i, j) \\in \\mathrm{bonds}"));
}

TEST(Equations, every_point_has_its_own_mass) {
    const auto of_masses = [](const std::string& count, const std::string& masses) {
        return equations("[parameters]\nk = 3\n[points]\nr = { count = " + count + ", dimension = 2, mass = " + masses +
                         " }\n[initial.r]\nfor = \"i in 0.." + count + "-1\"\nq = [\"i\", 0]\n")[0];
    };
    const auto few = of_masses("3", "[1, 2, \"k\"]");
    EXPECT_NE(few.find("\\frac{\\lVert \\mathbf{p}_{0} \\rVert^{2}}{2}"), std::string::npos) << few;
    EXPECT_NE(few.find("\\frac{\\lVert \\mathbf{p}_{1} \\rVert^{2}}{4}"), std::string::npos) << few;
    EXPECT_NE(few.find("\\frac{\\lVert \\mathbf{p}_{2} \\rVert^{2}}{2 k}"), std::string::npos) << few;
    const auto many = of_masses("6", "[1, 2, 3, 4, 5, 6]");
    EXPECT_NE(many.find("\\sum_{i=0}^{5} \\frac{\\lVert \\mathbf{p}_{i} \\rVert^{2}}{2 m_{i}}"), std::string::npos)
        << many;
}

TEST(Equations, a_norm_of_some_components_is_not_the_norm) {
    const auto lines = equations(R"(
[points]
r = { count = 1, dimension = 3, mass = 1 }
[[energy]]
term = "r[0].x^2 + r[0].y^2"
[initial]
q = [1, 0, 0]
v = [0, 0, 0]
)");
    EXPECT_NE(lines[0].find("r_{0,x}^{2} + r_{0,y}^{2}"), std::string::npos) << lines[0];
}

TEST(Equations, fields_do_not_call_v_the_rate_of_q) {
    EXPECT_EQ(latex_equations(Model::load("reversible-field")),
              (Lines{"\\dot{q} &= v_{q}", "\\dot{v}_{q} &= -\\sin q - \\frac{v_{q}^{2}}{5}"}));
}

TEST(Equations, forces_and_rolling_push_with_their_signs) {
    EXPECT_EQ(latex_equations(Model::load("rolling-disk")).back(), "\\dot{p}_{\\theta} &= 0");
    EXPECT_TRUE(has(latex_equations(Model::load("rolling-disk")),
                    "\\dot{p}_{\\phi} &= R \\lambda_{1} \\cos \\theta + R \\lambda_{2} \\sin \\theta"));
    const auto damped = equations(R"(
[coordinates]
q = ["x"]
[dynamics]
mass = 2
potential = "k*x^2/2"
[parameters]
k = 1
[[forces]]
name = "drag"
class = "dissipative"
on = { x = "-v_x" }
[initial]
q = [1]
v = [0]
)");
    EXPECT_EQ(damped.back(), "\\dot{p}_{x} &= -k x - \\dot{x}");
}

TEST(Equations, a_singular_mass_does_not_divide) {
    for (const auto& line : latex_equations(Model::load("pendulum-redundant"))) {
        EXPECT_EQ(line.find("}{0}"), std::string::npos) << line;
    }
    EXPECT_TRUE(has(latex_equations(Model::load("pendulum-redundant")), "p_{\\theta} &= 0"));
}

TEST(Equations, bodies_are_matrices) {
    const auto top = latex_equations(Model::load("heavy-top"));
    EXPECT_TRUE(has(top, "I &= Q^{T} Q"));
    EXPECT_TRUE(has(top, "\\dot{Q} &= P \\, D^{-1}"));
}

TEST(Equations, large_families_take_no_longer_to_write_than_small_ones) {
    const auto lines = latex_equations(Model::load("chain", {{"n", "20000"}}));
    EXPECT_EQ(lines.size(), latex_equations(Model::load("chain")).size());
}

}  // namespace
}  // namespace libration
