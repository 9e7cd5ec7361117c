// The instances of a family that C++ describes.
#pragma once

#include "draft.hpp"

#include <libration/model/family.hpp>

namespace libration {

std::shared_ptr<const Instances> instances_over(Draft& draft, const Over& over);

}  // namespace libration
