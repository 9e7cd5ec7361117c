// Branches of angles.
#pragma once

#include <libration/expression/expression.hpp>

namespace libration {

// The angle plus the multiple of a full turn that is nearest to a reference.
Expression nearest_branch(const Expression& angle, const Expression& reference);

}  // namespace libration
