// What the runs of a comparison are measured against: a solution in double along the whole duration, which also shows
// until when positions are known; and, up to where they are compared, one in quadruple precision if the work allows it.
#pragma once

#include "compare_plan.hpp"
#include "compare_progress.hpp"
#include "reference_solution.hpp"

namespace libration {

// States of one run at some times, the last of which is the end.
struct FollowedRun {
    std::string method;
    std::int64_t steps = 0;
    std::vector<double> t{};
    std::vector<std::vector<double>> q{}, p{}, lambda{};  // [row]
    std::optional<RunFailure> failure{};
    [[nodiscard]] EndState state(std::size_t row) const;
};

// By how much two runs differ, row by row: q and p, relative to the largest so far.
std::vector<double> separation(const FollowedRun& coarse, const FollowedRun& fine);

// Until when two runs of a method that is accurate agree.
struct Horizon {
    bool chaotic = false;        // they separate exponentially
    std::optional<double> lost;  // the last time at which positions are known at all; nothing: at the end, too
    std::size_t row = 0;         // the last one at which they are known well; the end if they do not separate
};
// `t`: of the rows.
Horizon horizon_of(const std::vector<double>& t, const std::vector<double>& separation);

struct CompareTarget {
    CompareReference reference{};
    std::optional<EndState> state{};  // nothing: there is no reference
    std::int64_t part = 0;            // of plan.common_parts(): where it is
    std::optional<double> horizon{};
};
// By the first candidate that gets through.
CompareTarget compare_target(const Model& model, const SystemProperties& properties, const RunCost& cost,
                             const std::vector<Method>& compared, const std::vector<Method>& candidates,
                             const ComparePlan& plan, CompareMeter& meter);
// The work that this is expected to be.
double target_operations(const ComparePlan& plan);

}  // namespace libration
