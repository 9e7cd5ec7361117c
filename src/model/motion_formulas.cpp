// Velocities of formulas over coordinates.
#include "motion_formulas.hpp"

#include <libration/expression/differentiate.hpp>

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

Expression rate_of(const Model& model, const Expression& f) {
    auto moving = moving_symbols(model, std::array{f});
    moving.q.push_back(symbol("t"));
    moving.v.emplace_back(1);
    return directional_derivative(f, moving.q, moving.v);
}

}  // namespace libration
