// The result of an ensemble as named values, and the tables by which JSON, files and Python know the numbers of its
// trajectories.
#pragma once

#include <libration/ensemble/ensemble.hpp>
#include <libration/result/record.hpp>

#include <array>
#include <utility>

namespace libration {

inline constexpr std::array<std::pair<const char*, double TrajectoryOutcome::*>, 8> outcome_numbers{{
    {"t", &TrajectoryOutcome::t},
    {"energy", &TrajectoryOutcome::energy_initial},
    {"energy_error", &TrajectoryOutcome::energy_error},
    {"energy_error_max", &TrajectoryOutcome::energy_error_max},
    {"constraint_max", &TrajectoryOutcome::constraint_max},
    {"hidden_max", &TrajectoryOutcome::hidden_max},
    {"floors_max", &TrajectoryOutcome::floors_max},
    {"verdict", &TrajectoryOutcome::verdict},
}};

inline constexpr std::array<std::pair<const char*, double NodeStatistics::*>, 4> statistic_numbers{{
    {"mean", &NodeStatistics::mean},
    {"deviation", &NodeStatistics::deviation},
    {"min", &NodeStatistics::smallest},
    {"max", &NodeStatistics::largest},
}};

// Lists of more than `longest` trajectories or times are left out.
Record record_of(const EnsembleResult& result, std::size_t longest);

// What belongs to the call that made the ensemble, not to its trajectories: threads, backend, times, warnings; and
// back.
Record record_of_call(const EnsembleResult& result);
void read_call(const Record& record, EnsembleResult& result);

}  // namespace libration
