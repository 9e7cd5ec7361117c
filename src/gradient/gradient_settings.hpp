// All that decides the bits of a gradient, as names and values.
#pragma once

#include "gradient_file.hpp"

#include <libration/gradient/gradient.hpp>

namespace libration {

// InputError for a model that cannot be compared with that of a file.
GradientSettings gradient_settings(const Model& model, const Method& method, const GradientOptions& options,
                                   bool matrix);

}  // namespace libration
