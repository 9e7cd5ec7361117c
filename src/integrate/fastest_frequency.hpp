// The largest frequency of the linearization of a system about a state, for the choice of a step size.
#pragma once

#include <libration/kit/system.hpp>

namespace libration {

// The square root of the largest eigenvalue of M^-1 (U_qq + sum_i lambda_i g_i,qq) on the tangent space of the
// constraints, or 0 where no direction is restoring. Velocity-dependent terms are omitted. An estimate, from below,
// good to some percent. Separable H.
double fastest_frequency(System<double>& system, double t, std::span<const double> q, std::span<const double> p);

}  // namespace libration
