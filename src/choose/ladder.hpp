// The largest step of each candidate that meets a goal, found by pilots of more and fewer steps, as long as the
// candidate can still be the cheapest.
#pragma once

#include "fine_solution.hpp"

#include <limits>

namespace libration {

// What a rung must satisfy over the window; infinite: anything.
struct LadderGoal {
    double error = std::numeric_limits<double>::infinity();
    double energy = std::numeric_limits<double>::infinity();
};

struct Rung {
    std::int64_t steps = 0;
    double error = 0, energy_error = 0;  // NaN where unknown
    double work = 0, seconds = 0;
    std::string failure;
    double excess = 0;  // the larger of error and energy_error, each by its goal; at most 1: it is met
    [[nodiscard]] bool good() const { return failure.empty() && excess <= 1; }
};

struct Ladder {
    Method method;
    int order = 0;
    std::vector<Rung> rungs;
    std::optional<Rung> best;  // the cheapest good one
    std::string verdict;       // why there is no better one

    [[nodiscard]] const Rung* closest() const;  // the smallest excess; null: all failed
};

struct LadderSetting {
    double window = 0;          // the time over which pilots run, negative: backward
    double first_step = 0;      // of a method of order 2 with one stage, coarse
    std::int64_t start = 0;     // a number of steps to begin with; 0: by first_step
    std::int64_t only = 0;      // a number of steps: no other is tried; 0: any
    std::int64_t multiple = 1;  // numbers of steps are multiples of this, for states on the way
    double most_work = 0;       // of all pilots together
    LadderGoal goal;
    const FineSolution* fine = nullptr;  // null: errors of the state are not measured
};

class LadderSearch {
  public:
    LadderSearch(PilotRuns& runs, const LadderSetting& setting) : runs_(&runs), setting_(&setting) {}
    // Best first those that are good, then the others.
    std::vector<Ladder> climb(const std::vector<Method>& methods);

  private:
    Rung measured(const Ladder& ladder, std::int64_t steps);
    void climb(Ladder& ladder);
    [[nodiscard]] std::int64_t first_steps(const Method& method) const;
    // The next number of steps to try; 0: none.
    [[nodiscard]] std::int64_t next_steps(const Ladder& ladder) const;
    [[nodiscard]] std::int64_t between(const Rung& low, const Rung& high, int order) const;
    [[nodiscard]] std::int64_t rounded(double steps) const;
    [[nodiscard]] bool may_win(const Ladder& ladder) const;
    bool too_expensive(Ladder& ladder, std::int64_t steps) const;

    PilotRuns* runs_;
    const LadderSetting* setting_;
    double cheapest_ = std::numeric_limits<double>::infinity();
};

// The evaluations of the base method in a step of a composition, or the stages of a Runge-Kutta method: about how many
// times longer its steps may be.
double relative_step(const Method& method);

}  // namespace libration
