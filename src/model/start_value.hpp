// Numbers of formulas where a model starts.
#pragma once

#include "model_values.hpp"

namespace libration {

// Of a formula over coordinates, t and parameters. Angles that count turns are on the branch that is nearest to where
// the model says that they start: they are among the parameters.
double value_at_start(const Model& model, const ParameterValues<double>& given, const InitialState<double>& start,
                      const Expression& e, double t = 0);

}  // namespace libration
