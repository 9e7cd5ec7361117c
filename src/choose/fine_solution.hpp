// A solution that is fine enough to measure errors against it, and what it says about the growth of errors.
#pragma once

#include "pilot.hpp"

namespace libration {

struct FineSolution {
    Pilot pilot;
    std::string method;
    int order = 0;
    // Estimate of its error at the end: the difference to the solution with half as many steps is 2^order times that.
    double accuracy = 0;
    bool converged = false;
    bool lost = false;           // smaller steps do not bring the solutions closer to each other
    bool chaotic = false;        // differences grow exponentially
    double rate = 0;             // of that growth
    double horizon = 0;          // the time up to which the difference is within what was asked
    double exponent = 0;         // of the growth as a power of the time, otherwise
    std::string why_not;         // of a solution that did not converge
    PilotDifference difference;  // of the last two solutions
};

struct FineGoal {
    double accuracy = 0;   // of the state at the end
    double asked = 0;      // what the horizon refers to
    double most_work = 0;  // of all pilots for it
};

// Twice as many steps until the difference is small enough, or until it stops shrinking.
FineSolution fine_solution(PilotRuns& runs, const Method& method, std::int64_t steps, double duration,
                           const FineGoal& goal);

}  // namespace libration
