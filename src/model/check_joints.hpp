// What joints demand of the numbers of a model.
#pragma once

#include "model_values.hpp"

namespace libration {

// Directions of length zero, parallel axes, distances that are not positive, motions that start elsewhere.
// Motions are compared at t = 0, unless initial values were replaced: those may be for another time.
void check_joints(const Model& model, const ParameterValues<double>& given, const InitialState<double>& start);

// Factors that are zero, circles that contradict themselves: check_couplings.cpp.
void check_couplings(const Model& model, const ParameterValues<double>& given);
// A joint that is not where its motion is at time t, ready for a user; empty: there is none. The rows of the joint do
// not see half a turn.
std::string motion_fault(const Model& model, double t, std::span<const double> q);

// A round body that does not touch the plane on which it rolls, ready for a user; empty: the row is none of such a
// joint.
std::string contact_fault(const Model& model, std::size_t row, double t, std::span<const double> q);

[[noreturn]] void refuse_zero_axis(const JointProperties& given);
[[noreturn]] void refuse_zero_normal(const JointProperties& given);

}  // namespace libration
