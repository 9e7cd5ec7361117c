// How the length of steps is chosen: the error estimate of a method and what it must be.
#pragma once

#include "coefficients/error_weights.hpp"
#include <libration/methods/adaptive.hpp>
#include <libration/methods/method.hpp>

namespace libration {

// err(h) = |h sum e_i q'_i| + |h sum e_i p'_i| is to be `target` = TOL^((p~ + 1)/(p + 1)), with which the error of a
// step of order p is of the size of TOL. [Jay 1998, section 9]
struct StepControl {
    AdaptiveOptions options;  // with the estimator that is used
    ErrorWeights estimate;
    double target = 0;
};

// An InputError if the method has no error estimate, or one that does not fit, on a system of these properties.
StepControl step_control(const Method& method, const SystemProperties& properties, std::size_t constraints,
                         const AdaptiveOptions& options);

}  // namespace libration
