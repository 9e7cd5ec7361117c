// The checks of constraints on velocities.
#pragma once

#include <libration/model/model.hpp>

namespace libration {

// Names and symbols; every one of them must contain a velocity.
void check_nonholonomic(const Model& model);

}  // namespace libration
