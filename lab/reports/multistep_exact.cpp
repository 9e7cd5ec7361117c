// rho, sigma and the momentum formula in exact fractions, by the series in u = zeta + 1/zeta - 2 = (zeta - 1)^2 / zeta.
#include "multistep_report.hpp"

#include "coefficients/fraction.hpp"
#include "coefficients/polynomial.hpp"

#include <cassert>

namespace libration {

namespace {

using FractionSeries = std::vector<Fraction>;  // lowest power first

using polynomial::product;

// zeta^half p(u), as coefficients of the powers 0 .. 2 half of zeta.
FractionSeries in_zeta(const FractionSeries& p, std::size_t half) {
    FractionSeries result(2 * half + 1), power{1};  // power = (zeta - 1)^(2i)
    for (std::size_t i = 0; i < p.size(); ++i) {
        for (std::size_t j = 0; j < power.size(); ++j) {
            result[half - i + j] = result[half - i + j] + p[i] * power[j];
        }
        power = product(power, {1, -2, 1});
    }
    return result;
}

// 1/y^2 of zeta = e^y, times u. y^2 = sum_i (-1)^(i-1) 2 (i!)^2 / (i^2 (2i)!) u^i, i >= 1.
FractionSeries reciprocal_square(std::size_t n) {
    FractionSeries square{1}, inverse{1};
    for (std::size_t i = 1; i <= n; ++i) {
        const auto m = static_cast<std::int64_t>(i);
        square.push_back(-square.back() * Fraction(m * m) / Fraction((2 * m + 1) * (2 * m + 2)));
        Fraction sum;
        for (std::size_t j = 1; j <= i; ++j) {
            sum = sum + -square[j] * inverse[i - j];
        }
        inverse.push_back(sum);
    }
    return inverse;
}

// y = sinh(y) sum_i (-1)^i (i!)^2 / (2i + 1)! u^i, and sinh(y) = (zeta - 1)(1 + 1/zeta) / 2.
FractionSeries momentum(std::size_t half) {
    FractionSeries quotient{1};
    for (std::size_t i = 1; i < half; ++i) {
        const auto m = static_cast<std::int64_t>(i);
        quotient.push_back(-quotient.back() * Fraction(m) / Fraction(2 * (2 * m + 1)));
    }
    const Fraction one_half = Fraction(1) / Fraction(2);
    return product(in_zeta(quotient, half - 1), {one_half, one_half});
}

std::vector<std::optional<Rational>> rationals(const FractionSeries& series) {
    std::vector<std::optional<Rational>> result;
    for (const auto& x : series) {
        result.push_back(x.rational());
    }
    return result;
}

}  // namespace

ExactMultistep exact_multistep(std::span<const Rational> a, const Rational& beta) {
    assert(2 + 2 * a.size() <= static_cast<std::size_t>(most_multistep_steps));
    const std::size_t half = a.size() + 1;
    FractionSeries tilde{1};
    for (const auto& aj : a) {
        tilde = product(tilde, {Fraction(2) + Fraction(2) * Fraction(aj), 1});
    }
    const auto series = product(tilde, reciprocal_square(half));
    FractionSeries sigma(series.begin(), series.begin() + static_cast<std::ptrdiff_t>(half));
    sigma.emplace_back(beta);
    return {.rho = rationals(in_zeta(product(tilde, {0, 1}), half)),
            .sigma = rationals(in_zeta(sigma, half)),
            .rho_tilde = rationals(in_zeta(tilde, half - 1)),
            .momentum = rationals(momentum(half)),
            .error_constant = ((series[half] + -Fraction(beta)) / series[0]).rational()};
}

}  // namespace libration
