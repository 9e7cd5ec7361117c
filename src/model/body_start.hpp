// The start of rigid bodies as initial values of coordinates.
#pragma once

#include "body_frame.hpp"

#include <libration/model/model.hpp>

namespace libration {

// Of a body with a start.
std::vector<InitialValue> start_values(const Body& body);

}  // namespace libration
