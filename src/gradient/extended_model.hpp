// Parameters as coordinates of infinite mass: the system on which a backward tangent run finds all derivatives.
#pragma once

#include "unknowns.hpp"

#include <span>

namespace libration {

// So large that what the momentum of a parameter moves is lost in any sum, and its square is still a number.
inline constexpr double infinite_mass_value = 1e90;

// A model with the same motion whose last coordinates are 1 plus the changes of parameters: they start at 1 and rest
// there, while their momenta collect -H_theta - g_theta^T lambda. Where a constant diagonal mass depends on parameters,
// a coordinate q becomes x = q sqrt(m(theta)/m): its mass is the constant m, and what depends on theta is in U and g.
// Without a change of parameters x = q and p_x = p.
struct ExtendedModel {
    Model model;
    // Of each added coordinate the number of its parameter among the unknown ones: one for each of them first; then
    // those of other elements of their lists, whose number is larger than any; then, where there are many constraints,
    // one more for each row that contains a parameter, so that rows do not meet in a column of G that has no mass.
    std::vector<std::size_t> owner;
    std::string obstacle;  // why there is none, as the end of a sentence; empty: there is
};
// Of the parameters among the unknowns. Changes of a parameter that is a formula of others are added to what the
// formula says.
ExtendedModel extended_model(const Model& model, std::span<const Unknown> unknowns);

}  // namespace libration
