// The text of products.
#include "latex_product.hpp"

#include "lexer.hpp"
#include "node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace libration {

namespace {

constexpr std::size_t longest_numerator = 80;  // a longer factor stands beside the fraction
constexpr std::int64_t largest_exponent = 8;   // of numbers that are multiplied out

std::string exponent_text(const Rational& exponent) {
    return exponent.denominator == 1 ? std::to_string(exponent.numerator)
                                     : fmt::format("{}/{}", exponent.numerator, exponent.denominator);
}

LatexText raised(const LatexText& base, const Rational& exponent) {
    if (exponent.numerator == exponent.denominator) {
        return base;
    }
    if (exponent.numerator == 1 && exponent.denominator == 2) {
        return {"\\sqrt{" + base.text + '}', LatexKind::atom};
    }
    const auto kind =
        base.kind == LatexKind::function && exponent.denominator == 1 ? LatexKind::function : LatexKind::power;
    return {powered(base, exponent_text(exponent)), kind};
}

// Numbers, pi, letters, velocities and momenta, roots and norms, groups, functions.
int rank(const LatexFactor& factor) {
    const std::string_view text = factor.base.text;
    if (factor.base.kind == LatexKind::number || (factor.base.kind == LatexKind::product && is_digit(text[0]))) {
        return 0;
    }
    switch (factor.base.kind) {
        case LatexKind::sum:
        case LatexKind::relation:
        case LatexKind::fraction:
        case LatexKind::product: return 5;
        case LatexKind::function: return 7;
        default: break;
    }
    if (text == "\\pi") {
        return 1;
    }
    if (text.starts_with("\\mathrm{e}^")) {
        return 6;
    }
    if (text.starts_with("\\sqrt") || text.starts_with("\\lVert") || text.starts_with("\\lvert") ||
        text.starts_with("\\left")) {
        return 4;
    }
    return text.starts_with("\\dot") || text.starts_with("p_{") ? 3 : 2;
}

std::string sort_key(std::string_view text) {
    std::string key(text);
    for (const std::string_view silent : {"\\mathrm", "\\mathbf", "\\text", "\\dot", "\\frac", "\\left", "\\"}) {
        for (auto at = key.find(silent); at != std::string::npos; at = key.find(silent, at)) {
            key.erase(at, silent.size());
        }
    }
    std::erase_if(key, [](char c) { return c == '{' || c == '}' || c == ' ' || c == '('; });
    return key;
}

bool is_word(std::string_view text) {
    return (text.starts_with("\\mathrm{") && !text.starts_with("\\mathrm{e}^")) || text.starts_with("\\text{");
}

// One after another, with a dot between numbers and a space beside words.
LatexText joined(const std::vector<LatexText>& parts) {
    if (parts.size() == 1) {
        return parts[0];
    }
    std::string text;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const auto kind = parts[k].kind;
        const bool group = kind == LatexKind::sum || kind == LatexKind::relation ||
                           (k > 0 && (kind == LatexKind::product || kind == LatexKind::fraction));
        const auto part = group ? parentheses(parts[k].text) : parts[k].text;
        if (k > 0 && is_digit(part[0])) {
            text += " \\cdot ";
        } else if (k > 0) {
            text += is_word(part) || is_word(parts[k - 1].text) ? " \\, " : " ";
        }
        text += part;
    }
    return {text, LatexKind::product};
}

}  // namespace

bool LatexProduct::scale(const Expression& number, std::int64_t exponent) {
    const auto& value = rational_value(number);
    if (!value || std::abs(exponent) > largest_exponent) {
        return false;
    }
    const Rational size{std::abs(value->numerator), value->denominator};
    const bool below = exponent < 0 && size.denominator == 1 && size.numerator != 0;
    std::optional<Rational> scaled = below ? divisor : coefficient;
    for (std::int64_t k = 0; k < std::abs(exponent) && scaled; ++k) {
        scaled = below || exponent > 0 ? *scaled * size : *scaled / size;
    }
    if (!scaled) {
        return false;
    }
    (below ? divisor : coefficient) = *scaled;
    negative = negative != (value->numerator < 0 && exponent % 2 != 0);
    return true;
}

void LatexProduct::scale(const Rational& by) {
    const auto size = coefficient * Rational{std::abs(by.numerator), by.denominator};
    negative = negative != (by.numerator < 0);
    if (size) {
        coefficient = *size;
    } else {
        multiply({latex_number(Rational{std::abs(by.numerator), by.denominator}).text, LatexKind::product}, {1, 1});
    }
}

void LatexProduct::multiply(const LatexText& base, const Rational& exponent) {
    const bool below = exponent.numerator < 0;
    for (auto& factor : factors) {  // what stands below the line does not cancel: it must not be zero
        if (factor.base.text == base.text && (factor.exponent.numerator < 0) == below) {
            if (const auto total = factor.exponent + exponent) {
                factor.exponent = *total;
                return;
            }
        }
    }
    factors.push_back({base, exponent});
}

bool LatexProduct::absorb(const LatexProduct& other) {
    const auto signed_value = [](const LatexProduct& product) {
        const auto size = product.coefficient / product.divisor;
        return size ? std::optional(Rational{product.negative ? -size->numerator : size->numerator, size->denominator})
                    : std::nullopt;
    };
    const auto a = signed_value(*this), b = signed_value(other);
    const auto total = a && b ? *a + *b : std::nullopt;
    if (!total) {
        return false;
    }
    negative = total->numerator < 0;
    coefficient = {std::abs(total->numerator), total->denominator};
    divisor = {1, 1};
    return true;
}

std::string LatexProduct::without_coefficient() const {
    auto copy = *this;
    copy.coefficient = copy.divisor = {1, 1};
    return unsigned_product_text(copy).text;
}

LatexText unsigned_product_text(const LatexProduct& product) {
    auto factors = product.factors;
    std::ranges::stable_sort(factors, [](const LatexFactor& a, const LatexFactor& b) {
        return rank(a) != rank(b) ? rank(a) < rank(b) : natural_less(a.base.text, b.base.text);
    });
    std::vector<LatexText> above, below, beside;
    auto number = latex_number(product.coefficient);
    const auto total = product.coefficient / product.divisor;
    const bool ratio = total && (number.is_fraction || product.coefficient.denominator == 1);
    const auto bottom = ratio ? total->denominator : product.divisor.numerator;
    if (ratio) {
        number = latex_number(Rational{total->numerator, 1});
    }
    if (bottom != 1) {
        below.push_back({latex_number(Rational{bottom, 1}).text, LatexKind::number});
    }
    const bool divides =
        !below.empty() || std::ranges::any_of(factors, [](const auto& f) { return f.exponent.numerator < 0; });
    for (const auto& [base, exponent] : factors) {
        const auto text = raised(base, {std::abs(exponent.numerator), exponent.denominator});
        const bool long_group = divides && text.text.size() > longest_numerator && base.kind != LatexKind::function;
        (exponent.numerator < 0 ? below : long_group ? beside : above).push_back(text);
    }
    if (above.empty() ? (beside.empty() || divides) || number.text != "1" : number.text != "1") {
        above.insert(above.begin(), {number.text, number.is_product ? LatexKind::product : LatexKind::number});
    }
    if (!divides) {
        return joined(above);
    }
    const LatexText fraction{fmt::format("\\frac{{{}}}{{{}}}", joined(above).text, joined(below).text),
                             LatexKind::fraction};
    beside.insert(beside.begin(), fraction);
    return joined(beside);
}

LatexText product_text(const LatexProduct& product) {
    auto text = unsigned_product_text(product);
    return product.negative ? LatexText{'-' + text.text, LatexKind::sum} : text;
}

std::string powered(const LatexText& base, const std::string& exponent) {
    const auto above = "^{" + exponent + '}';
    if (base.kind == LatexKind::function && std::ranges::all_of(exponent, is_digit)) {
        return base.function + above + base.text.substr(base.function.size());
    }
    const bool bare =
        (base.kind == LatexKind::atom && !base.text.starts_with("\\sqrt")) || base.kind == LatexKind::number;
    return (bare ? base.text : parentheses(base.text)) + above;
}

bool is_tall(std::string_view text) {
    return std::ranges::any_of(std::array<std::string_view, 4>{"\\frac", "\\begin", "\\sum", "\\sqrt"},
                               [&](auto tall) { return text.find(tall) != std::string_view::npos; });
}

std::string fences(std::string_view left, const std::string& inside, std::string_view right) {
    const bool tall = is_tall(inside);
    return fmt::format("{}{}{}{}{}", tall ? "\\left" : "", left, inside, tall ? " \\right" : "",
                       tall && right.starts_with(' ') ? right.substr(1) : right);
}

std::string parentheses(const std::string& inside) { return fences("(", inside, ")"); }

bool natural_less(std::string_view a, std::string_view b) {
    const auto x = sort_key(a), y = sort_key(b);
    std::size_t i = 0, k = 0;
    while (i < x.size() && k < y.size()) {
        if (is_digit(x[i]) && is_digit(y[k])) {
            const auto digits = [](std::string_view text, std::size_t from) {
                return text.substr(from, text.find_first_not_of("0123456789", from) - from);
            };
            const auto m = digits(x, i), n = digits(y, k);
            if (m != n) {
                return m.size() != n.size() ? m.size() < n.size() : m < n;
            }
            i += m.size();
            k += n.size();
        } else if (x[i] != y[k]) {
            return x[i] < y[k];
        } else {
            ++i;
            ++k;
        }
    }
    return x.size() - i != y.size() - k ? x.size() - i < y.size() - k : a < b;
}

}  // namespace libration
