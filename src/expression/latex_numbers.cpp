// Numbers as people write them: 9.81, \frac{2}{3}, 10^{-3}, 1.5 \cdot 10^{-7}.
#include "latex_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace libration {

namespace {

constexpr std::int64_t largest_plain_denominator = 9;  // 1/2, 1/3 ... 1/9; then 0.1
constexpr int most_zeros = 2;                          // 0.001 is 10^{-3}
constexpr int most_digits = 6;                         // 1000000 is 10^{6},
constexpr int fewest_zeros = 4;                        // but 1234567 is written out

// digits * 10^exponent
LatexNumber decimal_latex(std::string digits, int exponent) {
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    while (digits.size() > 1 && digits.back() == '0') {
        digits.pop_back();
        ++exponent;
    }
    if (digits.empty()) {
        return {"0"};
    }
    const int length = static_cast<int>(digits.size());
    const int point = length + exponent;  // digits in front of the point
    if ((exponent >= fewest_zeros && point > most_digits) || point <= -most_zeros) {
        const auto power = fmt::format("10^{{{}}}", point - 1);
        if (digits == "1") {
            return {power, false, true};
        }
        return {digits.substr(0, 1) + (length > 1 ? '.' + digits.substr(1) : "") + " \\cdot " + power, false, true};
    }
    if (exponent >= 0) {
        return {digits + std::string(static_cast<std::size_t>(exponent), '0')};
    }
    if (point <= 0) {
        return {"0." + std::string(static_cast<std::size_t>(-point), '0') + digits};
    }
    return {digits.substr(0, static_cast<std::size_t>(point)) + '.' + digits.substr(static_cast<std::size_t>(point))};
}

}  // namespace

LatexNumber latex_number(const Rational& value) {
    auto rest = value.denominator;
    int twos = 0, fives = 0;
    for (; rest % 2 == 0; rest /= 2) {
        ++twos;
    }
    for (; rest % 5 == 0; rest /= 5) {
        ++fives;
    }
    const int places = std::max(twos, fives);
    const bool plain = value.denominator > 1 && value.denominator <= largest_plain_denominator;
    if (rest != 1 || plain || places > 25) {
        return {fmt::format("\\frac{{{}}}{{{}}}", decimal_latex(std::to_string(value.numerator), 0).text,
                            decimal_latex(std::to_string(value.denominator), 0).text),
                true};
    }
    __extension__ unsigned __int128 scaled = static_cast<std::uint64_t>(value.numerator);
    std::string digits;
    for (int k = twos; k < places; ++k) {
        scaled *= 2;
    }
    for (int k = fives; k < places; ++k) {
        scaled *= 5;
    }
    for (; scaled > 0; scaled /= 10) {
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(scaled % 10)));
    }
    return decimal_latex(digits, -places);
}

LatexNumber latex_number(std::string_view decimal) {
    const auto e = decimal.find_first_of("eE");
    int exponent = 0;
    if (e != std::string_view::npos) {
        auto written = decimal.substr(e + 1);
        written.remove_prefix(written.starts_with('+') ? 1 : 0);
        std::from_chars(written.data(), written.data() + written.size(), exponent);
    }
    std::string digits;
    bool behind = false;
    for (const char c : decimal.substr(0, e)) {
        behind = behind || c == '.';
        if (c >= '0' && c <= '9') {
            digits += c;
            exponent -= behind ? 1 : 0;
        }
    }
    return decimal_latex(std::move(digits), exponent);
}

}  // namespace libration
