// Everything that the laboratory knows of one symmetric multistep method, from the text of its parameters.
#pragma once

#include "coefficients/multistep.hpp"
#include "coefficients/multistep_search.hpp"
#include "coefficients/multistep_stability.hpp"
#include "expression/rational.hpp"

#include <optional>
#include <string>
#include <vector>

namespace libration {

// The coefficients as exact fractions; nothing where numerator or denominator exceed 53 bits.
struct ExactMultistep {
    std::vector<std::optional<Rational>> rho, sigma, rho_tilde, momentum;
    std::optional<Rational> error_constant;
};

ExactMultistep exact_multistep(std::span<const Rational> a, const Rational& beta = {});

struct MultistepReport {
    std::string spec;  // for `run --method`
    MultistepPair pair;
    std::optional<ExactMultistep> exact;  // nothing if a parameter has too many digits
    MultistepStability stability;
    bool is_default = false;
    std::optional<std::vector<double>> nearest;  // good parameters nearby, if these are not good
};

// Without `a` the defaults; `beta` may be empty. Throws an InputError for text that is not a number, a wrong number of
// parameters, parameters outside (-1, 1) or repeated; choices that violate (13) are reported, not refused.
MultistepReport multistep_report(int k, const std::vector<std::string>& a, const std::string& beta = "");

}  // namespace libration
