// Angles that count turns and are only watched stand in the way of a backward run for nothing.
#pragma once

#include <libration/model/model.hpp>

#include <optional>
#include <string>

namespace libration {

// The angle that the equations of motion use; empty: they use none.
std::string angle_in_equations(const Model& model);
// The same motion without angles, and without the observables, definitions and events that use them. Nothing: the
// model has none, or the equations or a terminal event use one.
std::optional<Model> without_angles(const Model& model);

}  // namespace libration
