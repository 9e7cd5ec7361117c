// Bushings: springs and dampers along and about the axes of a frame.
#pragma once

#include "draft.hpp"
#include "loads.hpp"

namespace libration {

// With the axes a_i of the frame in the first body, b_i of that in the second one, and d from the first point to the
// second one, the energy is
//
//     1/2 sum k_i (a_i.d)^2 + sum w_i (1 - a_i.b_i),     w_1 = (c_2 + c_3 - c_1)/2, ...
//
// for the stiffnesses k_i along and c_i about the axes. A small rotation by the vector r makes 1 - a_i.b_i =
// (|r|^2 - r_i^2)/2, so that the second sum is 1/2 sum c_i r_i^2; a rotation by any angle about one axis makes it
// c_i (1 - cos(angle)). It is a polynomial: no angle is singular. Its only minimum is where the axes coincide.
struct Bushing {
    std::optional<Expression> energy;  // none without stiffness
    std::vector<Effort> dampers;
};

// Notes what must not be negative in the model. Throws an InputError for places that do not exist, or do not suffice.
Bushing make_bushing(Draft& draft, const BushingProperties& given);
// A force for the dampers, if there are any.
void add_bushing_dampers(Draft& draft, const BushingProperties& given, const Bushing& bushing);

}  // namespace libration
