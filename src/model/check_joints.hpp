// What joints demand of the numbers of a model.
#pragma once

#include "model_values.hpp"

namespace libration {

// Directions of length zero, parallel axes, distances that are not positive, motions that start elsewhere.
void check_joints(const Model& model, const ParameterValues<double>& given, const InitialState<double>& start);

// Factors that are zero, circles that contradict themselves: check_couplings.cpp.
void check_couplings(const Model& model, const ParameterValues<double>& given);

[[noreturn]] void refuse_zero_axis(const JointProperties& given);

}  // namespace libration
