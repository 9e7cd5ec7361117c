// Which angle that counts turns prevents a backward run.
#pragma once

#include <libration/model/model.hpp>

#include <string>

namespace libration {

// The angle that the equations of motion use; empty: they use none.
std::string angle_in_equations(const Model& model);

}  // namespace libration
