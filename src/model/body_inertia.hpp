// What the inertia of a body makes of it: its kind, its principal axes and the masses of their columns.
#pragma once

#include "body_frame.hpp"

namespace libration {

// The numbers of an inertia at the values of the parameters, in the highest precision that there is.
#ifdef LIBRATION_HAS_QUAD
using InertiaScalar = Quad;
#else
using InertiaScalar = double;
#endif

// Sets kind, columns, d and principal axes of a body that is not planar. `values`: of `given.inertia`. Throws an
// InputError if no body has this inertia, or nothing to turn.
void settle_inertia(Body& body, const BodyProperties& given, const std::vector<InertiaScalar>& values);

}  // namespace libration
