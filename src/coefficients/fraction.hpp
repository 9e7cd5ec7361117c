// Exact fractions of 128-bit integers that remember when a result did not fit.
#pragma once

#include "expression/rational.hpp"

#include <cstdint>
#include <optional>

namespace libration {

class Fraction {
  public:
    __extension__ using Integer = __int128;

    Fraction(std::int64_t whole = 0) : numerator_(whole) {}  // NOLINT(google-explicit-constructor): it is a number
    explicit Fraction(const Rational& value) : numerator_(value.numerator), denominator_(value.denominator) {}

    // Nothing if it did not fit, or has more than 53 bits above or below the line.
    [[nodiscard]] std::optional<Rational> rational() const {
        constexpr Integer limit = static_cast<Integer>(1) << 53;
        if (denominator_ == 0 || size(numerator_) > limit || denominator_ > limit) {
            return std::nullopt;
        }
        return make_rational(static_cast<std::int64_t>(numerator_), static_cast<std::int64_t>(denominator_));
    }

    friend Fraction operator*(const Fraction& a, const Fraction& b) {
        if (a.denominator_ == 0 || b.denominator_ == 0) {
            return unknown();
        }
        // Common factors first: the product is then as small as it can be.
        const Integer left = divisor(a.numerator_, b.denominator_);
        const Integer right = divisor(b.numerator_, a.denominator_);
        return of(times(a.numerator_ / left, b.numerator_ / right),
                  times(a.denominator_ / right, b.denominator_ / left));
    }
    friend Fraction operator/(const Fraction& a, const Fraction& b) {
        Fraction inverse = b;
        inverse.numerator_ = b.numerator_ < 0 ? -b.denominator_ : b.denominator_;
        inverse.denominator_ = size(b.numerator_);
        return a * inverse;
    }
    friend Fraction operator+(const Fraction& a, const Fraction& b) {
        if (a.denominator_ == 0 || b.denominator_ == 0) {
            return unknown();
        }
        const Integer common = divisor(a.denominator_, b.denominator_);
        const auto left = times(a.numerator_, b.denominator_ / common);
        const auto right = times(b.numerator_, a.denominator_ / common);
        return of(left && right ? std::optional(*left + *right) : std::nullopt,
                  times(a.denominator_, b.denominator_ / common));
    }
    friend Fraction operator-(const Fraction& a) {
        Fraction result = a;
        result.numerator_ = -a.numerator_;
        return result;
    }

  private:
    Integer numerator_ = 0;
    Integer denominator_ = 1;  // positive, without a common factor; 0: unknown

    static Integer size(Integer x) { return x < 0 ? -x : x; }
    static Integer divisor(Integer a, Integer b) {
        a = size(a);
        b = size(b);
        while (b != 0) {
            const Integer rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }
    // Below 2^125, so that the sum of two fits.
    static std::optional<Integer> times(Integer a, Integer b) {
        constexpr Integer limit = static_cast<Integer>(1) << 125;
        return b != 0 && size(a) > limit / size(b) ? std::nullopt : std::optional(a * b);
    }
    static Fraction unknown() {
        Fraction result;
        result.denominator_ = 0;
        return result;
    }
    static Fraction of(std::optional<Integer> numerator, std::optional<Integer> denominator) {
        if (!numerator || !denominator || *denominator == 0) {
            return unknown();
        }
        Fraction result;
        const Integer common = divisor(*numerator, *denominator);
        result.numerator_ = *numerator / common;
        result.denominator_ = *denominator / common;
        return result;
    }
};

}  // namespace libration
