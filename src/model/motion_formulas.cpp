// Velocities of formulas over coordinates.
#include "motion_formulas.hpp"

namespace libration {

MovingSymbols moving_symbols(const Model& model, std::span<const Expression> formulas) {
    MovingSymbols moving;
    for (const auto& s : symbols_of(formulas)) {
        if (const auto number = model.coordinate_number(s.text())) {
            moving.numbers.push_back(*number);
            moving.q.push_back(s);
            moving.v.push_back(symbol("v_" + s.text()));
        }
    }
    return moving;
}

}  // namespace libration
