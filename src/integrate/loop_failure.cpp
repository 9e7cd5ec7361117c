// Why a run ended: a failed step in words, with what to do.
#include "loop.hpp"

#include <libration/integrate/force_checks.hpp>
#include <libration/manifold/rank.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// What else may be wrong where constraints contain t.
std::string moving_names(const Model& model) {
    constexpr std::size_t most = 8;
    std::vector<std::string> names;
    for (const auto& constraint : model.constraints) {
        if (constraint.term.uses_time) {
            names.push_back(constraint.name);
        }
    }
    if (names.empty()) {
        return {};
    }
    const bool more = names.size() > most;
    names.resize(std::min(names.size(), most));
    return fmt::format(
        "; constraints that contain t ({}{}): look whether they can hold, and have gradients that do not "
        "vanish, at this time",
        fmt::join(names, ", "), more ? ", ..." : "");
}

}  // namespace

bool Integration::Loop::force_is_finite() {
    const auto node = stepper_->node();
    std::vector<double> force(system_.dimension());
    system_.force_gradient(node.t, node.q, node.p, force);
    return std::ranges::all_of(force, [](double f) { return std::isfinite(f); });
}

RunFailure Integration::Loop::mass_failure(const std::string& fault) {
    return {
        accepted_ + 1, time_of(accepted_ + 1), "mass",
        fault +
            "; the motion leads to where the kinetic energy is not positive: mend the masses there, end the run before,"
            " or try a smaller step"};
}

RunFailure Integration::Loop::describe(const StepReport<double>& report) {
    if (mass_watch_.needed()) {
        const auto trial = stepper_->trial_node(), good = stepper_->node();
        auto fault = mass_watch_.fault(trial.t, trial.q);
        if (!fault) {
            fault = mass_watch_.fault_ahead(good, step_ahead());
        }
        if (fault) {
            return mass_failure(*fault);
        }
    }
    if (adaptive_ != nullptr && !adaptive_->fault().empty()) {
        return length_failure();
    }
    RunFailure failure;
    failure.step = accepted_ + 1;
    failure.t = time_of(failure.step);
    if (external_ != nullptr) {
        static_cast<void>(force_is_finite());  // asks again for the force of the last good node
    }
    if (external_ != nullptr && !external_->not_finite().empty()) {
        failure.kind = "not-finite";
        failure.message =
            fmt::format("{}, a function that cannot be traced, gave a number that is not finite; the motion "
                        "leads to where it is not defined, or try a smaller step",
                        external_->not_finite());
        return failure;
    }
    const auto position = stepper_->pivot_position();
    const bool finite = std::ranges::all_of(position, [](double x) { return std::isfinite(x); });
    const bool lost = !(report.pivot > rank_tolerance);
    auto sets = finite && lost ? rank_fault(model_, system_, failure.t, position, rank_tolerance) : std::string();
    if (finite && lost && sets.empty() && system_.properties().moving_constraints) {  // where the step began
        sets = rank_fault(model_, system_, failure.t - options_.step, position, rank_tolerance);
    }
    if (!sets.empty()) {
        failure.kind = "rank";
        failure.message = "the constraints became dependent:\n" + sets;
    } else if (finite && std::isfinite(report.pivot) && lost) {
        failure.kind = "rank";
        failure.message =
            fmt::format("the constraints are so close to dependent that rounding decides (smallest relative"
                        " pivot {:.2g}); write them with fewer or better placed constraints, or start"
                        " elsewhere",
                        report.pivot);
    } else if (auto undefined = undefined_force(model_, system_, stepper_->node(), step_ahead()); !undefined.empty()) {
        failure.kind = "not-finite";
        failure.message = std::move(undefined);
    } else if (report.converged != 1 && force_is_finite()) {
        failure.kind = "newton";
        const auto how = std::isfinite(report.residual)
                             ? fmt::format("the iteration stays at {:.3g} times round-off", report.residual)
                             : std::string("the iteration diverged");
        failure.message =
            system_.properties().forced
                ? fmt::format(
                      "the equations of the step could not be solved ({}); try a smaller step, and if that does not "
                      "help, look for a place where a force is not smooth (sign, abs, if){}",
                      how,
                      reaction_count(system_) == 0 ? ""
                                                   : ", where friction leaves the multipliers undetermined, or where "
                                                     "the gradients of the constraints vanish or become parallel")
            : reaction_count(system_) == 0
                ? fmt::format("the equations of the step could not be solved ({}); try a smaller step", how)
                : fmt::format("the constraints could not be satisfied ({}); try a smaller step, and if that does not"
                              " help, look for a place where their gradients vanish or become parallel",
                              how);
        failure.message += moving_names(model_);
        if (method_.record().periodicity != nullptr) {
            failure.message += "; methods with a memory need smaller steps than others, see `libration help multistep`";
        }
    } else {
        failure.kind = "not-finite";
        failure.message =
            "the state stopped being finite: the step is too large, or the motion runs into a singularity; try a"
            " smaller step";
    }
    return failure;
}

RunFailure Integration::Loop::undefined_energy(std::int64_t n) {
    return {
        n, time_of(n), "not-finite",
        "the energy is not a finite number any more: the motion left the domain of the formulas; try a smaller step"};
}

}  // namespace libration
