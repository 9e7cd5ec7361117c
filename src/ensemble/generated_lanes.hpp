// The lanes of an ensemble in machine code.
#pragma once

#include "varied_model.hpp"

#include "lane_stepper.hpp"
#include <libration/integrate/run.hpp>

namespace libration {

// Null, and why not, if code cannot be had. `count`: of trajectories. Method and model must fit packs.
std::unique_ptr<LaneBackend> generated_backend(const VariedModel& models, std::size_t count, const Method& method,
                                               const IntegrationOptions& options, std::string& why_not);

}  // namespace libration
