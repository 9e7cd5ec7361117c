// Families of Runge-Kutta methods by the names that recipes write.
#pragma once

#include "coefficients/tableau.hpp"

#include <string>

namespace libration {

// "Lobatto IIIA", "Lobatto IIIB", "Lobatto IIIC", "Lobatto IIIC*", "Lobatto IIID", "Gauss", "Radau IIA". InputError for
// others.
Family family_named(const std::string& text);

}  // namespace libration
