// Numbers that a recipe writes as formulas, such as "5/24 - sqrt(5)/10", with all digits that coefficients have.
#pragma once

#include "coefficients/wide.hpp"

#include <map>
#include <string>

namespace libration {

// `names`: what earlier formulas found. Not a number where a formula has no real value. InputError for one that cannot
// be read.
Wide exact_number(const std::string& text, const std::map<std::string, Wide>& names = {});

}  // namespace libration
