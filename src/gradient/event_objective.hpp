// A formula of the state at the first occurrence of an event: at(EVENT, EXPR).
//
// The event lies on the dense step Phi_tau(z_n), where its value e vanishes. With D the derivative of that step by tau,
// the event moves by dt* = -de/(De.D + e_t), and the formula changes by d obs + (Dobs.D + obs_t) dt*: a sum of two
// readings at the point of the event, with the weights 1 and -(Dobs.D + obs_t)/(De.D + e_t).
#pragma once

#include "objective.hpp"

namespace libration {

// Nothing: the loss is not at an event. InputError.
std::unique_ptr<Objective> event_objective(const Model& model, const Method& method, const GradientOptions& options);

}  // namespace libration
