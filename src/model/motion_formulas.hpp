// Velocities of formulas over coordinates, and the generalized forces that belong to them.
#pragma once

#include <libration/model/model.hpp>

namespace libration {

// The coordinates on which the formulas depend, and the symbols of their velocities.
struct MovingSymbols {
    std::vector<std::size_t> numbers;
    std::vector<Expression> q, v;
};
MovingSymbols moving_symbols(const Model& model, std::span<const Expression> formulas);

}  // namespace libration
