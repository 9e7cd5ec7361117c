// Names and numbers as mathematics.
#pragma once

#include "rational.hpp"
#include <libration/expression/latex.hpp>

namespace libration {

// The parts of a symbol: powers go behind the base unless there is something above already.
struct LatexName {
    std::string base, below, above;
    [[nodiscard]] std::string text() const;
};
LatexName latex_name(std::string_view name);

// Made by written_length.
bool is_length(const Expression& e);

struct LatexNumber {
    std::string text;
    bool is_fraction = false;  // \frac of two integers
    bool is_product = false;   // 1.5 \cdot 10^{-7}
};
// Not negative. Decimals as far as they end, fractions where the denominator is small or the decimals do not end.
LatexNumber latex_number(const Rational& value);
// A number that is too long for a ratio: as it was written.
LatexNumber latex_number(std::string_view decimal);

}  // namespace libration
