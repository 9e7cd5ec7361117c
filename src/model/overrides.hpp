// Values that replace those of a model: which initial value a name means, and the value itself.
#pragma once

#include "model_values.hpp"
#include <libration/model/model.hpp>

namespace libration {

struct InitialTarget {
    std::size_t coordinate;
    InitialValue::Kind kind;
};
// NAME, p_NAME or v_NAME of a coordinate; nothing: the model has none of that name.
std::optional<InitialTarget> initial_target(const Model& model, const std::string& name);
// Whether the model gives such an initial value for the coordinate.
bool gives_initial(const Model& model, InitialValue::Kind kind, std::size_t coordinate);
// An angle that counts turns, which may start with other turns; null: the model has none of that name.
Winding* angle_target(Model& model, const std::string& name);
const Winding* angle_target(const Model& model, const std::string& name);
// Whether angles that were set are those of the initial position, up to turns.
void check_set_angles(const Model& model, const ParameterValues<double>& given, const InitialState<double>& start);
// A constant expression; `given` says in messages how it was given.
Expression override_value(const std::string& text, const std::string& given);

}  // namespace libration
