// Where a run starts: one path for single runs and for trajectories of an ensemble, so that both are bitwise identical.
#pragma once

#include "manifold/manifold.hpp"
#include "start.hpp"
#include <libration/integrate/run.hpp>

namespace libration {

// q and p of the model: projected if the options ask for that, or assembled if the model does; `change` says by how
// much. InputError where no run can start: dependent or violated
// constraints, numbers that are not finite, masses that are not positive.
StartState<double> checked_start(const Model& model, System<double>& system, Manifold<double>& manifold,
                                 const IntegrationOptions& options, std::optional<StartChange>* change = nullptr);

}  // namespace libration
