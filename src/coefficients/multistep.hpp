// Symmetric linear multistep methods for q'' = f: pairs of polynomials
//
//     sum_j rho_j q_n+j = h^2 sum_j sigma_j f_n+j,       rho = (z - 1)^2 prod_j (z^2 + 2 a_j z + 1)          [CHL (7), section 4]
//
// with sigma from the order condition rho(z) / log(z)^2 - sigma(z) = O((z - 1)^k), which has one solution of degree k -
// 1. [CHL (8)] Adding beta (z - 1)^k makes the method implicit and keeps the order k.
#pragma once

#include "wide.hpp"

#include <span>
#include <vector>

namespace libration {

// Polynomials have their lowest power first.
struct MultistepPair {
    int k = 2;                     // steps, and the order
    std::vector<Wide> a;           // k/2 - 1 parameters; empty if made of rho
    Wide beta = 0;                 // sigma_k = sigma_0; 0: explicit
    std::vector<Wide> rho, sigma;  // k + 1 coefficients
    std::vector<Wide> rho_tilde;   // rho / (z - 1)^2: k - 1 coefficients
    std::vector<Wide> momentum;    // delta-hat_j of CHL (11), j = -k/2 .. k/2 - 1
    Wide error_constant = 0;       // C of rho(e^x) / x^2 - sigma(e^x) = C x^k + ..., divided by sigma(1)
};

inline constexpr int most_multistep_steps = 20;

// k = 2 + 2 a.size(), at most most_multistep_steps. The parameters are not judged: see multistep_stability.hpp.
MultistepPair multistep_pair(std::span<const Wide> a, Wide beta = 0);
// From rho~ = rho / (z - 1)^2, palindromic, of even degree, with rho~_0 = 1.
MultistepPair multistep_pair_of_rho_tilde(std::span<const Wide> rho_tilde, Wide beta = 0);
// From rho itself, palindromic with a double zero at 1.
MultistepPair multistep_pair_of_rho(std::span<const Wide> rho, Wide beta = 0);

// Throws an InputError for a k that is odd, below 2 or above most_multistep_steps.
void check_multistep_steps(std::int64_t k);

// A parameter from its text; throws an InputError with the name if it is not a number.
Wide multistep_number(const std::string& name, const std::string& text);

}  // namespace libration
