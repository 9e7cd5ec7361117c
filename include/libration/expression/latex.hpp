// Expressions as LaTeX, for notebooks, documents and slides.
//
//     to_latex(parse("g*y1/2 - sqrt(x^2 + 1)"))     \frac{g y_{1}}{2} - \sqrt{x^{2} + 1}
//
// Equal terms of sums and equal factors of products are collected, and both are sorted, so that the text depends on the
// expression alone and not on the order in which it was built. It does not parse back; to_string does.
#pragma once

#include <libration/expression/expression.hpp>

namespace [[gnu::visibility("default")]] libration {

// The longest text that still helps: beyond this many operations, shared ones counted each time, it is \ldots instead.
inline constexpr std::size_t longest_latex = 3000;

// Linear in the length of the output, for any size of the expression.
std::string to_latex(const Expression& expression);

// A name of a model: x1 is x_{1}, theta \theta, v_x \dot{x}, p_x1 p_{x_{1}}, lambda_rod \lambda_{\mathrm{rod}},
// r[0].x r_{0,x}, top.Q[3,3] Q_{33}^{\mathrm{top}}, tip_speed \mathrm{tip}_{\mathrm{speed}}.
std::string symbol_latex(std::string_view name);

// A symbol that is printed as the given mathematics: for parts of a formula that have a better notation.
Expression written_symbol(std::string_view latex);
// The same for what is never negative, so that sqrt(d^2) is d.
Expression written_length(std::string_view latex);

// Any text as upright letters, with everything escaped that has a meaning in mathematics or in HTML.
std::string text_latex(std::string_view text);

}  // namespace libration
