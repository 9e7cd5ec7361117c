// Axes of joints that nearly coincide: what may be wrong where redundant joints leave no motion.
#pragma once

#include <libration/model/model.hpp>

#include <span>
#include <string>

namespace libration {

// The smallest one, in a sentence with what to do; empty where no axes nearly coincide.
std::string smallest_misalignment(const Model& model, std::span<const double> q);

}  // namespace libration
