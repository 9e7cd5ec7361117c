// The families of tableaux, and how they are called in messages.
#pragma once

#include "coefficients/tableau.hpp"

#include <string>

namespace libration {

inline constexpr Family families[]{Family::lobatto_a, Family::lobatto_b, Family::lobatto_c, Family::lobatto_cstar,
                                   Family::lobatto_d, Family::gauss,     Family::radau};

inline std::string label(Family family, std::size_t stages) {
    return std::string(name(family)) + ", s = " + std::to_string(stages);
}

}  // namespace libration
