// One step of a backward run as a program: the step of the extended model together with the tangent of its state.
//
// The recorded step is differentiated operation by operation. A loop of `iterate` ends where its correction c(x, z) is
// zero, so that the tangent of x solves c_x dx = -c_z dz: a small linear system, whose matrix is near -1 because the
// iteration converges. Its elimination needs no pivots and becomes part of the program; if it is large, it is iterated
// as x is. Parameters are constants: their coordinates rest at 1, and they do nothing to the motion; only the tangents
// of their momenta are computed.
#pragma once

#include "methods/recorded_step.hpp"

namespace libration {

struct TangentStep {
    // An entry of the memory of the method, or its tangent.
    struct Part {
        std::uint32_t entry = 0;
        bool tangent = false;
    };
    StepProgram program;
    std::vector<std::int64_t> integers;   // of the memory, as of RecordedStep
    std::vector<Part> fixed, changing;    // parameters and memory of the program, in its order
    std::vector<std::uint32_t> q, dq, p;  // numbers in `changing` of q, its tangent and that of p, of the model
};

// `dimension`: of the model; further coordinates are parameters. Nothing, and why not: operations that cannot be
// recorded.
std::optional<TangentStep> record_tangent_step(const Model& extended, std::size_t dimension, const Method& method,
                                               std::span<const std::int64_t> integers, std::string& why_not);

}  // namespace libration
