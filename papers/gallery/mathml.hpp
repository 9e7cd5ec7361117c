// Mathematics as MathML, which browsers typeset themselves: no script, no font and no picture is needed.
//
//     mathml_of("x^{2} - l^{2}")     <math><msup><mi>x</mi><mn>2</mn></msup><mo>−</mo>...</math>
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace libration::html {

// The LaTeX that to_latex, latex_equations and formula_latex write; a command that they do not write is an <merror>.
std::string mathml_of(std::string_view latex);
// Lines with & before their relations, one below the other; a wide one scrolls within its box.
std::string mathml_of_lines(std::span<const std::string> lines);

}  // namespace libration::html
