// Angles that count turns, with other turns than the model says.
#include "overrides.hpp"
#include "start_value.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

bool depends_on_time(const Expression& e) {
    const auto symbols = symbols_of(std::array{e});
    return std::ranges::find(symbols, symbol("t")) != symbols.end();
}

}  // namespace

Winding* angle_target(Model& model, const std::string& name) {
    const auto found = std::ranges::find(model.windings, name, &Winding::name);
    return found == model.windings.end() ? nullptr : &*found;
}

const Winding* angle_target(const Model& model, const std::string& name) {
    const auto found = std::ranges::find(model.windings, name, &Winding::name);
    return found == model.windings.end() ? nullptr : &*found;
}

// The position determines an angle up to turns. Otherwise who sets an angle might believe that the mechanism moves.
void check_set_angles(const Model& model, const ParameterValues<double>& given, const InitialState<double>& start) {
    if (model.assembly) {
        return;  // the position is a rough one
    }
    for (const auto& [name, text] : model.overrides) {
        const auto* angle = angle_target(model, name);
        if (angle == nullptr || depends_on_time(angle->angle)) {
            continue;  // at another time it may be another one
        }
        const double wanted = value_at_start(model, given, start, angle->start);
        const double here = value_at_start(model, given, start, angle->angle);
        constexpr double agreement = 1e-6;  // of numbers that were written down
        if (std::isfinite(here) && !(std::abs(here - wanted) <= agreement * std::max(1.0, std::abs(wanted)))) {
            throw InputError(fmt::format("`set = {0}={1}`: the initial position determines {0} up to turns: it can "
                                         "start at {2:.10g}, and at whole turns from there; to start elsewhere, set "
                                         "initial values of coordinates",
                                         name, text, here));
        }
    }
}

}  // namespace libration
