// Exact ratios of integers below 2^53, so that one division in double rounds them correctly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace libration {

struct Rational {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;  // positive, without a common factor
};

// Nothing if the result does not fit.
std::optional<Rational> make_rational(std::int64_t numerator, std::int64_t denominator);
std::optional<Rational> operator+(const Rational& a, const Rational& b);
std::optional<Rational> operator*(const Rational& a, const Rational& b);
std::optional<Rational> operator/(const Rational& a, const Rational& b);

// Reads "3", "-0.125", "1e-3" or "1/3"; nothing if it is no such number or does not fit.
std::optional<Rational> read_rational(std::string_view text);
std::string to_string(const Rational& value);

}  // namespace libration
