// The number of stages as the one parameter of a Runge-Kutta family.
#pragma once

#include "coefficients/tableau.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

namespace libration {

// Throws an InputError unless it is a whole number from `fewest` to max_stages.
inline int stages_of(const MethodSpec& spec, int fewest) {
    check_number_of_parameters(spec, 1);
    return whole_parameter(spec, 0, {"the number of stages", fewest, static_cast<int>(max_stages)});
}

// The nodes of its stages as error estimates want them: at least two, so that one stage is joined by the ends of the
// step.
inline std::vector<double> error_nodes_of(Family family, int stages) {
    if (stages == 1) {
        return {0, 0.5, 1};
    }
    std::vector<double> nodes;
    for (const auto& node : tableau(family, static_cast<std::size_t>(stages)).c) {
        nodes.push_back(high(node));
    }
    return nodes;
}

}  // namespace libration
