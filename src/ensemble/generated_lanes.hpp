// The lanes of an ensemble in machine code.
#pragma once

#include "varied_model.hpp"

#include <libration/ensemble/lane_stepper.hpp>
#include <libration/integrate/run.hpp>

namespace libration {

// A multiple of the width of a pack. Sixteen are two registers of AVX-512: while one waits for its operands, the other works.
inline constexpr std::size_t generated_lanes = 16;

// Null, and why not, if code cannot be had. `count`: of trajectories. Method and model must fit packs.
std::unique_ptr<LaneBackend> generated_backend(const VariedModel& models, std::size_t count, const Method& method,
                                               const IntegrationOptions& options, std::string& why_not);

}  // namespace libration
