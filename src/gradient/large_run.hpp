// The backward run of large models, in double precision.
#pragma once

#include "backward_run.hpp"

namespace libration {

// What run_backward() does, where tangent steps are written out (rattle_tangent.hpp) and formulas are read at stored
// states; nothing: it has to be done with dual numbers. Memory and time are linear in the numbers of coordinates and
// parameters.
std::optional<BackwardResult> run_large_backward(const TangentTask& task, const Method& method,
                                                 const ExtendedModel& extended, std::span<const RunState> states,
                                                 std::span<const Unknown> unknowns);

}  // namespace libration
