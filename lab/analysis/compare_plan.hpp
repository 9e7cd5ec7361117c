// What a comparison runs: step sizes and a duration, as long as that of the model if the work allows it.
#pragma once

#include "run_cost.hpp"
#include <libration/analysis/compare.hpp>
#include <libration/model/model.hpp>

namespace libration {

struct ComparePlan {
    double duration = 0;
    std::optional<double> shortened_from;           // the duration that was not affordable
    std::vector<std::int64_t> steps;                // of the runs, from the largest step size to the smallest
    std::vector<std::vector<double>> operations{};  // [method][step size], of one run
    double reference_operations = 0;                // of a step of the reference
    [[nodiscard]] double all_operations() const;
    // The largest number of equal parts of the duration at whose ends all runs have nodes.
    [[nodiscard]] std::int64_t common_parts() const;
};

// The methods that may compute the reference, the best one first: one of high order where the model is small, then the
// compared ones.
std::vector<Method> reference_candidates(const Model& model, const SystemProperties& properties,
                                         const std::vector<Method>& compared);
// Of the reference in double, where no duration is given.
inline constexpr double most_reference_operations = 2e9;

// Methods are given; `reference` is the first candidate. InputError for steps and durations that cannot be used. A
// duration that is given is obeyed, whatever it takes.
ComparePlan compare_plan(const Model& model, const RunCost& cost, const CompareOptions& options,
                         const Method& reference);

// With more coordinates, the equations of eight stages take longer than everything else.
inline constexpr std::size_t most_stage_coordinates = 64;

// Evaluations of a few steps, and how many they were.
struct PilotRun {
    EvaluationCounts evaluations;
    double steps = 0;
};
PilotRun fly_pilot(const Model& model, const Method& method, double step);

}  // namespace libration
