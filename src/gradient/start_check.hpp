// Whether initial values follow parameters: for many of them at once, by a generic combination of all constraints.
#pragma once

#include "extended_model.hpp"
#include "parameter_adjoint.hpp"

namespace libration {

// The number of the first parameter along which the start leaves the manifold; nothing: along none. As
// leaving_direction() says it, at a cost that does not depend on the number of parameters. `system`, `dual`: of the
// extended model, whose masses are those of single coordinates.
std::optional<std::size_t> leaving_parameter(const Model& model, const ExtendedModel& extended, System<double>& system,
                                             System<Dual<double>>& dual, const StartPoint& start,
                                             std::span<const Unknown> parameters);

}  // namespace libration
