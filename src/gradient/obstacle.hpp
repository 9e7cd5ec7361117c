// Whether there is a backward run of a method on a model, and which method goes back.
#pragma once

#include "extended_model.hpp"

#include <libration/methods/method.hpp>

namespace libration {

// Why there is no backward run; empty: there is one. A method claims a backward gradient where it claims to be
// symplectic on the model, and symmetric unless its adjoint is registered. `between`: values between nodes are read,
// too.
std::string obstacle(const Method& method, const ExtendedModel& extended, bool between = false);

// The inverse of a step, with the opposite step: the method itself, or its adjoint.
Method inverse_of(const Method& chosen, const ExtendedModel& extended);

}  // namespace libration
