// Where the errors of a ladder are measured from: a given solution, or one of a method of high order.
#pragma once

#include "measuring.hpp"

namespace libration {

// q, p and lambda at the end of a run.
struct EndState {
    std::vector<Fine> q, p, lambda;
};

// Runs the method over the duration of the subject in this many steps. The rung gets steps, h and residuals, in units
// that belong to the largest step, so that those of several runs can be compared.
struct LadderRun {
    std::optional<EndState> end;
    Rung rung;
    double work = 0;
    std::string failure;
};
LadderRun run_ladder(const Method& method, const Model& model, System<Fine>& system, const StartState<Fine>& start,
                     double duration, std::int64_t steps, std::int64_t samples, double largest_step = 0);

// The difference of two states, relative to the size of the second.
Rung difference(const EndState& a, const EndState& b);

struct ReferenceSolution {
    EndState state;
    std::string source;
    double accuracy = 0;
    std::string method = {};  // where it was computed, with this many steps
    std::int64_t steps = 0;
};
// Nothing if there is neither a given solution nor a method to compute one. Steps are halved until that changes less
// than `goal`.
std::optional<ReferenceSolution> reference_solution(const Subject& subject, System<Fine>& system,
                                                    const StartState<Fine>& start, double goal = 1e-25);

}  // namespace libration
