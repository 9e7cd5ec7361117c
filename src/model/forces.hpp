// The checks of non-Hamiltonian forces and of how `spark` treats the terms.
#pragma once

#include <libration/model/model.hpp>

namespace libration {

// Names, symbols and components of the forces.
void check_forces(const Model& model);
// Checks the choices, and puts those for whole terms before those for single components.
void settle_spark(Model& model);

}  // namespace libration
