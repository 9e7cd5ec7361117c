// The loop at the end of a run: its companion and its verdict.
#include "companion.hpp"
#include "loop.hpp"
#include "methods/row_guard.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace libration {

std::optional<ErrorEstimate> Integration::Loop::estimate_error(const Run& run) {
    const bool same_rows = !model_.carried || model_.carried->rows == first_.rows;
    if (!options_.estimate_error || run.steps == 0 || first_.q.empty() || !same_rows) {
        return std::nullopt;
    }
    const auto steps = companion_steps(run.steps, system_->dimension());
    if (steps == 0) {
        return std::nullopt;
    }
    auto repetition = options_.adaptive ? adaptive_stepper().first : ordinary_stepper();
    auto finer = ordinary_stepper();
    const Node<double> start{options_.start_time, first_.q, first_.q_low, first_.p};
    for (auto* stepper : {repetition.get(), finer.get()}) {
        stepper->start(start, stepper == finer.get() ? options_.step / 2 : options_.step);
        if (row_watch_.needed()) {
            set_carried_pivot(*stepper, row_watch_.pivot(stepper->node()));
        }
    }
    std::vector<double> force(system_->dimension());
    system_->force_gradient(start.t, start.q, start.p, force);
    double largest_force = 0;
    for (const double component : force) {
        largest_force = std::max(largest_force, std::abs(component));
    }
    const auto history = follow(
        {repetition.get(), finer.get(), start, options_.adaptive.has_value(), method_.lag(), run.order, largest_force},
        steps);
    return history ? std::optional(history->estimate(std::abs(run.t - options_.start_time))) : std::nullopt;
}

void Integration::Loop::judge_run(Run& run) {
    run.verdict = can_be_judged(run) ? std::optional(judge(run, doubts_)) : std::nullopt;
}

}  // namespace libration
