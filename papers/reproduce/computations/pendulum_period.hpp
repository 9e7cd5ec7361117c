// The period of the pendulum that is released from the horizontal, with L = g = 1.
#pragma once

#include <cmath>

namespace libration {

inline const double pendulum_period = 4 * std::comp_ellint_1(std::sqrt(0.5));  // 4 K(k), k^2 = 1/2: 7.416298709205...

}  // namespace libration
