// Compositions: steps of a base method with lengths gamma_1 h, gamma_2 h, ... that make one step of higher order.
//
// Symmetric base:      Phi_(gamma_n h) o ... o Phi_(gamma_1 h)
// Base with adjoint:   the factors alternate, and the adjoint comes first:
//                      Phi_(gamma_2n h) o Phi*_(gamma_(2n-1) h) o ... o Phi_(gamma_2 h) o Phi*_(gamma_1 h)
// In both cases gamma_1 is taken first and the list is a palindrome, hence the composition is symmetric. (For a
// symmetric base Phi* = Phi, so the schemes for a base with adjoint may be used there too.)
#pragma once

#include "wide.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace libration {

struct CompositionScheme {
    std::string_view name;
    int order;           // over a symmetric base of order 2, or over any base with its adjoint
    bool needs_adjoint;  // for a base with its adjoint; otherwise for a symmetric base
    std::vector<Wide> gamma;
    std::string_view reference;  // key in docs/references.bib
};

// All names, by order.
std::span<const std::string_view> composition_names();
// Throws InputError with a suggestion for an unknown name.
CompositionScheme composition(std::string_view name);

// The factors that raise the order nu of a symmetric base (even, at least 2) by two; they nest.
// Three factors with 2 c1 + c2 = 1, 2 c1^(nu+1) + c2^(nu+1) = 0. (Yoshida 1990)
std::vector<Wide> triple_jump(int base_order);
// Five factors with 4 c1 + c2 = 1, 4 c1^(nu+1) + c2^(nu+1) = 0. (Suzuki 1990)
std::vector<Wide> suzuki(int base_order);

}  // namespace libration
