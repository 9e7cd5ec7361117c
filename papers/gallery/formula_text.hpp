// Formulas in prose. Texts of recipes write them as model files do, h^6, |H - H0|, a_j = (-0.7, 0.4), and so they stay
// readable in a terminal; pages typeset them.
#pragma once

#include <string>
#include <string_view>

namespace libration::html {

struct Formula {
    std::size_t length = 0;  // of the text that it replaces; 0: there is none
    std::string latex;
};

// The longest formula that begins at `at`, where a word begins. A formula has a relation, a power, an index, a Greek
// letter or an operation on a letter: `h`, `a1`, `sigma`, `1e-8`, `k - 1`, `t = 5`; articles, `(A)`, `(13)` and `2013`
// are prose.
Formula formula_at(std::string_view text, std::size_t at);
// The same of a text that is marked as not being prose: all of it is a formula, or there is none.
Formula whole_formula(std::string_view text);

}  // namespace libration::html
