// Exact ratios of integers below 2^53.
#include "rational.hpp"

#include <charconv>
#include <cstdlib>
#include <numeric>

namespace libration {

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t limit = std::int64_t{1} << 53;

std::optional<Rational> reduce(Wide numerator, Wide denominator) {
    if (denominator == 0) {
        return std::nullopt;
    }
    if (denominator < 0) {
        numerator = -numerator;
        denominator = -denominator;
    }
    Wide a = numerator < 0 ? -numerator : numerator;
    Wide b = denominator;
    while (b != 0) {
        const Wide rest = a % b;
        a = b;
        b = rest;
    }
    numerator /= a;
    denominator /= a;
    if (numerator > limit || numerator < -limit || denominator > limit) {
        return std::nullopt;
    }
    return Rational{static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

std::optional<Rational> read_decimal(std::string_view text) {
    std::int64_t mantissa = 0;
    int exponent = 0;
    bool negative = false;
    bool after_point = false;
    bool digits = false;
    std::size_t i = 0;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) {
        negative = text[i++] == '-';
    }
    for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
        if (text[i] == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (text[i] < '0' || text[i] > '9' || mantissa > limit) {
            return std::nullopt;
        }
        mantissa = 10 * mantissa + (text[i] - '0');
        exponent -= after_point ? 1 : 0;
        digits = true;
    }
    if (i < text.size()) {
        auto rest = text.substr(i + 1);
        if (!rest.empty() && rest.front() == '+') {
            rest.remove_prefix(1);
        }
        int written = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), written);
        if (error != std::errc{} || end != rest.data() + rest.size() || std::abs(written) > 40) {
            return std::nullopt;
        }
        exponent += written;
    }
    if (!digits || std::abs(exponent) > 30) {
        return std::nullopt;
    }
    Wide numerator = negative ? -mantissa : mantissa;
    Wide denominator = 1;
    for (int k = 0; k < std::abs(exponent); ++k) {
        Wide& scaled = exponent > 0 ? numerator : denominator;
        scaled *= 10;
        if (scaled > (static_cast<Wide>(1) << 120) || scaled < -(static_cast<Wide>(1) << 120)) {
            return std::nullopt;
        }
    }
    return reduce(numerator, denominator);
}

}  // namespace

std::optional<Rational> make_rational(std::int64_t numerator, std::int64_t denominator) {
    return reduce(numerator, denominator);
}

std::optional<Rational> operator+(const Rational& a, const Rational& b) {
    return reduce(static_cast<Wide>(a.numerator) * b.denominator + static_cast<Wide>(b.numerator) * a.denominator,
                  static_cast<Wide>(a.denominator) * b.denominator);
}

std::optional<Rational> operator*(const Rational& a, const Rational& b) {
    return reduce(static_cast<Wide>(a.numerator) * b.numerator, static_cast<Wide>(a.denominator) * b.denominator);
}

std::optional<Rational> operator/(const Rational& a, const Rational& b) {
    return reduce(static_cast<Wide>(a.numerator) * b.denominator, static_cast<Wide>(a.denominator) * b.numerator);
}

std::optional<Rational> read_rational(std::string_view text) {
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) {
        return read_decimal(text);
    }
    const auto a = read_decimal(text.substr(0, slash));
    const auto b = read_decimal(text.substr(slash + 1));
    return a && b ? *a / *b : std::nullopt;
}

std::string to_string(const Rational& value) {
    std::string text = std::to_string(value.numerator);
    if (value.denominator != 1) {
        text += '/' + std::to_string(value.denominator);
    }
    return text;
}

}  // namespace libration
