// What quantities of a model are called in results.
#pragma once

#include <libration/model/model.hpp>

namespace libration {

// What the hidden residual is made of: "G v", "G v + g_t" where constraints move, "k" of constraints on velocities.
std::string hidden_residual_name(const Model& model);
// Why H is not conserved; empty if it is.
std::string energy_changed_by(const Model& model, bool conserved);

}  // namespace libration
