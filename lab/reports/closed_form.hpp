// Numbers p + q sqrt(n) with rational p and q, found again in their wide decimals.
//
// Nothing is guessed: a form is returned only if it agrees with the number to round-off, and its denominators are so
// small (at most 2^20) that a number without such a form would agree with probability 1e-18 or less.
#pragma once

#include "coefficients/tableau.hpp"
#include "expression/rational.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace libration {

// part + factor sqrt(radicand); the radicand has no square factor, and factor = 0 for a rational number.
struct ClosedForm {
    Rational part;
    Rational factor{0, 1};
    std::int64_t radicand = 1;
};

using ClosedForms = std::vector<std::optional<ClosedForm>>;

Wide value(const ClosedForm& form);
// "1/6", "-sqrt(3)/6", "(5 - sqrt(5))/10"
std::string to_string(const ClosedForm& form);

// The rational number that x is to round-off, if its denominator is small.
std::optional<Rational> recognised_rational(Wide x);
// Rational, or the square root of a rational number with a sign.
std::optional<ClosedForm> recognised(Wide x);

struct ExactTableau {
    ClosedForms c, b, A;

    [[nodiscard]] bool complete() const;
};

// Where all but two nodes are rational, these two are conjugate, c = u -+ v sqrt(n). Exchanging them is the
// automorphism sqrt(n) -> -sqrt(n), under which a_ij becomes the entry of the exchanged stages; so the sum of both
// entries and their difference over sqrt(n) are rational, and are recognised as such. With more irrational nodes only
// rational entries are found.
ExactTableau exact_tableau(const Tableau& tableau);

}  // namespace libration
