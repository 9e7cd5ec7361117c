// The number of stages as the one parameter of a Runge-Kutta family.
#pragma once

#include <libration/coefficients/tableau.hpp>
#include <libration/methods/method.hpp>

namespace libration {

// Throws an InputError unless it is a whole number from `fewest` to max_stages.
inline int stages_of(const MethodSpec& spec, int fewest) {
    check_number_of_parameters(spec, 1);
    return whole_parameter(spec, 0, {"the number of stages", fewest, static_cast<int>(max_stages)});
}

}  // namespace libration
