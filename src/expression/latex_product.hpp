// Products as they stand on paper: a number, then letters, then groups, then functions; a line for what divides.
#pragma once

#include "latex_names.hpp"

#include <vector>

namespace libration {

// What decides about parentheses.
enum class LatexKind { atom, number, power, function, product, fraction, sum, relation };

struct LatexText {
    std::string text;
    LatexKind kind = LatexKind::atom;
    std::string function = {};  // of a function: its name, so that powers can go between name and argument
};

struct LatexFactor {
    LatexText base;
    Rational exponent;
};

struct LatexProduct {
    bool negative = false;
    Rational coefficient{1, 1};  // not negative
    Rational divisor{1, 1};      // a number written below the line stays there: x/10, but 0.1 x
    std::vector<LatexFactor> factors;

    // Takes a number into the coefficient, where it fits.
    bool scale(const Expression& number, std::int64_t exponent);
    void scale(const Rational& by);
    void multiply(const LatexText& base, const Rational& exponent);
    // Adds a product of the same factors; false: the sum of the coefficients does not fit.
    bool absorb(const LatexProduct& other);
    [[nodiscard]] bool is_number() const { return factors.empty(); }
    [[nodiscard]] bool vanishes() const { return coefficient.numerator == 0; }
    [[nodiscard]] std::string without_coefficient() const;
};

LatexText product_text(const LatexProduct& product);
LatexText unsigned_product_text(const LatexProduct& product);

LatexText number_text(const Expression& constant);
LatexText symbol_text(const Expression& symbol);
std::string function_name(Op op);
LatexText function_text(const std::string& name, const LatexText& argument);
LatexText exponential_text(const LatexText& argument);
// a - b*floor(a/b), which a % b is read as.
bool is_remainder(const Expression& e);

// base^{exponent} with what parentheses it needs.
std::string powered(const LatexText& base, const std::string& exponent);
bool is_tall(std::string_view text);
std::string parentheses(const std::string& inside);
// With \left and \right only around what is tall.
std::string fences(std::string_view left, const std::string& inside, std::string_view right);
// By letters, not by commands; x_{2} before x_{10}.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace libration
