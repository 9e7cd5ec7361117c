// Formulas of pages: LaTeX as MathML, and formulas found in prose.
#include "gallery/formula_text.hpp"
#include "gallery/html.hpp"
#include "gallery/mathml.hpp"
#include "reproduce/recipe.hpp"
#include <libration/model/to_text.hpp>

#include <gtest/gtest.h>

#include <regex>

namespace libration::html {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Opened and closed in order; nothing of LaTeX is left.
std::string fault_of(const std::string& mathml) {
    std::vector<std::string> open;
    const std::regex tag("<(/?)([a-z]+)[^>]*?(/?)>");
    for (auto it = std::sregex_iterator(mathml.begin(), mathml.end(), tag); it != std::sregex_iterator(); ++it) {
        if ((*it)[3] == "/") {
            continue;
        }
        if ((*it)[1] == "") {
            open.push_back((*it)[2]);
        } else if (open.empty() || open.back() != (*it)[2]) {
            return "closes " + (*it)[2].str();
        } else {
            open.pop_back();
        }
    }
    // Braces of sets, and names as they are, which may contain underscores.
    const std::regex own("<mo[^>]*>\\{</mo>|<mi mathvariant=\"normal\">[^<]*</mi>");
    const auto words = std::regex_replace(std::regex_replace(mathml, own, ""), tag, " ");
    const auto left = words.find_first_of("\\{}_");
    return !open.empty()               ? "leaves open " + open.back()
           : has(mathml, "merror")     ? "an unknown command"
           : left != std::string::npos ? "LaTeX: " + words.substr(left, 40)
                                       : "";
}

TEST(MathMl, of_small_formulas) {
    EXPECT_EQ(mathml_of("x^{2}"), "<math><msup><mi>x</mi><mn>2</mn></msup></math>");
    EXPECT_EQ(mathml_of("x_{1}^{2}"), "<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math>");
    EXPECT_EQ(mathml_of("\\frac{a}{2}"), "<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>");
    EXPECT_EQ(mathml_of("\\sqrt[3]{x}"), "<math><mroot><mi>x</mi><mn>3</mn></mroot></math>");
    EXPECT_EQ(mathml_of("\\mathrm{a\\_b}"), "<math><mi mathvariant=\"normal\">a_b</mi></math>");
    EXPECT_EQ(mathml_of("a \\lt b"), "<math><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math>");
    EXPECT_EQ(mathml_of("\\sum_{i=0}^{9} i"),
              "<math><mrow><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mn>9</mn></munderover>"
              "<mi>i</mi></mrow></math>");
}

TEST(MathMl, a_sign_of_a_number_is_not_a_difference) {
    EXPECT_TRUE(has(mathml_of("(-1, -2)"), "<mo form=\"prefix\">−</mo><mn>1</mn>"));
    EXPECT_TRUE(has(mathml_of("(-1, -2)"), "<mo form=\"prefix\">−</mo><mn>2</mn>"));
    EXPECT_TRUE(has(mathml_of("a - 2"), "<mi>a</mi><mo>−</mo><mn>2</mn>"));
}

TEST(MathMl, an_unknown_command_is_marked) { EXPECT_TRUE(has(mathml_of("\\unheard{x}"), "<merror>")); }

TEST(MathMl, a_broken_formula_ends) {
    for (const auto* text :
         {"", "\\frac", "x^", "{", "}", "\\left(", "\\begin{cases} a", "\\mathrm{", "\\", "&", "\\\\"}) {
        EXPECT_NE(mathml_of(text), "") << text;
    }
}

TEST(MathMl, of_the_equations_of_every_problem) {
    for (const auto& problem : problems()) {
        const auto lines = latex_equations(Model::load(problem.name));
        const auto mathml = mathml_of_lines(lines);
        EXPECT_EQ(fault_of(mathml), "") << problem.name;
        std::size_t rows = 0;
        for (auto at = mathml.find("\n<mtr>"); at != std::string::npos; at = mathml.find("\n<mtr>", at + 1)) {
            ++rows;
        }
        EXPECT_EQ(rows, lines.size()) << problem.name;
    }
}

// The formulas of a text, as they stand there.
std::vector<std::string> formulas_in(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (const auto formula = formula_at(text, at); formula.length > 0) {
            found.push_back(text.substr(at, formula.length));
            at += formula.length - 1;
        }
    }
    return found;
}
using Found = std::vector<std::string>;

TEST(FormulasInProse, end_where_prose_goes_on) {
    EXPECT_EQ(formulas_in("With a step h = 0.01 the error shrinks like h^6, to 2.5e-8."),
              (Found{"h = 0.01", "h^6", "2.5e-8"}));
    EXPECT_EQ(formulas_in("six steps, a = (-0.7, 0.4), which satisfies condition (13)."), (Found{"a = (-0.7, 0.4)"}));
    EXPECT_EQ(formulas_in("rho(z) / log(z)^2 - sigma(z) = O((z - 1)^k) for any k; here"),
              (Found{"rho(z) / log(z)^2 - sigma(z) = O((z - 1)^k)", "k"}));
    EXPECT_EQ(formulas_in("where |H - H0| passes 10"), (Found{"|H - H0|"}));
    EXPECT_EQ(formulas_in("order 2s - 2 and b_2k, q_k+1, a_ij"), (Found{"2s - 2", "b_2k", "q_k+1", "a_ij"}));
    EXPECT_EQ(formula_at("M_q(v, v)", 0).latex, "M_{q}(v, v)");
    EXPECT_EQ(whole_formula("(M(q) v)' = F(q, v)").latex, "(M(q) \\, v)' = F(q, v)");
    EXPECT_EQ(formulas_in("err = TOL^(4/5)"), (Found{"err = TOL^(4/5)"}));
    EXPECT_EQ(formulas_in("t = 200,000."), (Found{"t = 200,000"}));
}

TEST(FormulasInProse, leave_prose_alone) {
    for (const auto* prose :
         {"A chain of 1000 rods, e.g. that of Fig. 2.", "a k-step method", "Newton's method (A) of equation (3.1f)",
          "I see a figure in section 5, Example 1", "432 steps there and 432 back", "Numer. Math. 124 (2013)",
          "on [0, 200000]", "well-known and so-called, i.e. SY8", "yes/no and 1/2", "one - two", "", "+", "(", "^",
          "a = ", "(a, "}) {
        EXPECT_EQ(formulas_in(prose), Found{}) << prose;
    }
}

TEST(FormulasInProse, are_typeset_and_code_is_not) {
    const std::string power = "<math><msup><mi>h</mi><mn>6</mn></msup></math>";
    EXPECT_EQ(inline_text("like h^6 & `h^6`"), "like " + power + " &amp; " + power);
    for (const auto* code :
         {"--quick", "000-fig2", "spark(3)", "energy_error", "multistep(6, -0.7, 0.4)", "libration run", ""}) {
        EXPECT_EQ(inline_text("`" + std::string(code) + "`"), "<code>" + std::string(code) + "</code>");
    }
    EXPECT_TRUE(has(inline_text("2.5e-8"), "<mn>2.5</mn><mo>×</mo><msup><mn>10</mn>"));
}

// Nothing that is written as a formula stays behind as plain text, in any text of any recipe.
TEST(FormulasInProse, of_every_recipe_become_mathml) {
    const std::regex tags("<math>.*?</math>|<code>[^]*?</code>|<[^>]*>");
    const std::regex plain("[A-Za-z0-9)]\\^|[A-Za-z0-9]_[A-Za-z0-9]|(^|[ (])[a-zA-Z][0-9]? = [-0-9(]");
    std::size_t formulas = 0;
    for (const auto& recipe : recipes_named({}, false)) {
        std::vector<std::string> texts{recipe.title, recipe.place, recipe.setting, recipe.remark};
        for (const auto& check : recipe.checks) {
            texts.insert(texts.end(), {check.what, check.printed_text, check.why, check.remark});
            texts.insert(texts.end(), check.labels.begin(), check.labels.end());
        }
        for (const auto& figure : recipe.figures) {
            texts.push_back(figure.caption);
        }
        for (const auto& text : texts) {
            const auto html = inline_text(text);
            const std::regex formula("<math>.*?</math>");
            for (auto it = std::sregex_iterator(html.begin(), html.end(), formula); it != std::sregex_iterator();
                 ++it) {
                EXPECT_EQ(fault_of(it->str()), "") << recipe.id << ": " << it->str();
                ++formulas;
            }
            const auto rest = std::regex_replace(html, tags, "");
            std::smatch left;
            EXPECT_FALSE(std::regex_search(rest, left, plain))
                << recipe.id << ": '" << left.str() << "' is not typeset in: " << text;
        }
    }
    EXPECT_GT(formulas, 1000U);
}

}  // namespace
}  // namespace libration::html
