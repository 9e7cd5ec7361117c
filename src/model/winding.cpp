// Angles that count turns.
#include "winding.hpp"

#include "definitions.hpp"
#include "draft.hpp"
#include "motion_formulas.hpp"

#include "expression/program.hpp"

#include <libration/expression/differentiate.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

const Expression& full_turn() {
    static const Expression turn = Expression(2) * constant("pi");
    return turn;
}

// (c s' - s c') / (s^2 + c^2) along the motion, where s and c need not be scaled to one.
Expression rate_of(const Model& model, const Expression& sine, const Expression& cosine) {
    auto [numbers, moving, rates] = moving_symbols(model, std::array{sine, cosine});
    moving.push_back(symbol("t"));
    rates.emplace_back(1);
    const auto along = [&](const Expression& e) { return directional_derivative(e, moving, rates); };
    return (cosine * along(sine) - sine * along(cosine)) / (pow(sine, 2) + pow(cosine, 2));
}

}  // namespace

Expression nearest_branch(const Expression& angle, const Expression& reference) {
    return angle + full_turn() * floor((reference - angle) / full_turn() + ratio(1, 2));
}

void Draft::require_free_angle(const std::string& name, const Place& place) const {
    require_free_column(name, place);
    const auto derived = name + "_at_node";
    const auto ends = std::ranges::find(model_.parameters, derived, &Parameter::name) != model_.parameters.end() ||
                      model_.plain_numbers.contains(derived);
    if (ends) {
        throw InputError(place, fmt::format("the name '{}' cannot be used: it takes '{}', which is a parameter or a "
                                            "coordinate",
                                            name, derived));
    }
}

Expression Draft::add_winding(const std::string& name, const Expression& sine, const Expression& cosine,
                              const Expression& start, const Place& place) {
    Winding winding{name, resolved(sine), resolved(cosine), start, turn_symbol(name), {}, {}, place};
    if (std::ranges::find(model_.windings, name, &Winding::name) != model_.windings.end()) {
        throw InputError(place, fmt::format("two angles are named '{}'", name));
    }
    winding.angle = nearest_branch(atan2(winding.sine, winding.cosine), winding.reference);
    winding.rate = rate_of(model_, winding.sine, winding.cosine);
    const auto angle = winding.angle;
    // Observables of angles come first, so that their numbers are those of the angles.
    model_.observables.insert(model_.observables.begin() + static_cast<std::ptrdiff_t>(model_.windings.size()),
                              {name, angle, false});
    for (auto& [known, definition] : angle_definitions(model_, winding)) {
        definitions_.insert_or_assign(known, std::move(definition));
    }
    if (numbers_) {
        numbers_->emplace(winding.reference.text(), ParameterNumber{evaluated(start)});
    }
    model_.windings.push_back(std::move(winding));
    return angle;
}

}  // namespace libration
