// Losses with integrals over time: integral(EXPR), and formulas of the end with integrals in them.
//
// An integral is the sum over all nodes of the run with Gregory's corrections at both ends: one definition for every
// method, every step and every formula, of order 10 where there are ten nodes. Its derivative is that of the sum.
#pragma once

#include "objective.hpp"

namespace libration {

// Nothing: the loss has no integral. InputError.
std::unique_ptr<Objective> integral_objective(const Model& model, const GradientOptions& options);

}  // namespace libration
