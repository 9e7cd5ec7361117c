// Why a run ended: a failed step in words, with what to do.
#include "loop.hpp"

#include "force_checks.hpp"
#include "manifold/rank.hpp"
#include "methods/winding_stepper.hpp"
#include <libration/kit/method_record.hpp>

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
        "; check that the time-dependent constraints ({}{}) can be satisfied and have nonzero gradients at this time",
        fmt::join(names, ", "), more ? ", ..." : "");
}

}  // namespace

bool Integration::Loop::force_is_finite() {
    const auto node = stepper_->node();
    std::vector<double> force(system_->dimension());
    system_->force_gradient(node.t, node.q, node.p, force);
    return std::ranges::all_of(force, [](double f) { return std::isfinite(f); });
}

// The formula that is not a number where the iteration led, or may have led: between the last good node and what was
// tried, and ahead along the velocity.
std::string Integration::Loop::undefined_on_the_way() {
    constexpr int looks = 16;
    constexpr double farthest = 100;
    if (external_ != nullptr) {
        return {};
    }
    const auto node = stepper_->node(), trial = stepper_->trial_node();
    const std::vector<double> from(node.q.begin(), node.q.end()), p(node.p.begin(), node.p.end());
    std::vector<double> to(trial.q.begin(), trial.q.end()), ahead(from), q(from);
    const double h = step_ahead();
    system_->velocity(node.t, from, p, ahead);
    for (std::size_t i = 0; i < from.size(); ++i) {
        ahead[i] = from[i] + 2 * h * ahead[i];
    }
    for (const auto& target : {to, ahead}) {
        // An iteration that diverges leads everywhere, and no formula can help that.
        bool near = true;
        for (std::size_t i = 0; i < from.size(); ++i) {
            near = near && std::abs(target[i] - from[i]) < farthest * (1 + std::abs(from[i]));
        }
        if (!near) {
            continue;
        }
        for (int k = looks; k > 0; --k) {
            for (std::size_t i = 0; i < q.size(); ++i) {
                q[i] = from[i] + (target[i] - from[i]) * k / looks;
            }
            const double t = node.t + h * k / looks;
            if (!std::isfinite(system_->energy(t, q, p)) || !constraints_are_finite(t, q)) {
                auto formula =
                    undefined_formula(model_, *system_, t, q, p, "at a trial state of the step, " + words_of(q));
                return formula.empty()
                           ? formula
                           : formula + "\nThe trajectory reaches the boundary of the domain of the formula; "
                                       "try a smaller step, or rewrite the formula.";
            }
        }
    }
    return {};
}

bool Integration::Loop::constraints_are_finite(double t, std::span<const double> q) {
    std::vector<double> g(system_->constraints());
    system_->constraint(t, q, g);
    return std::ranges::all_of(g, [](double x) { return std::isfinite(x); });
}

// x = 1, y = 2, ... of a state
std::string Integration::Loop::words_of(std::span<const double> q) const {
    constexpr std::size_t most = 8;
    std::vector<std::string> words;
    const std::size_t given = q.size() - system_->properties().added;
    for (std::size_t k = 0; k < std::min(given, most); ++k) {
        words.push_back(fmt::format("{} = {:.6g}", model_.coordinate_name(k), q[k]));
    }
    return fmt::format("{}{}", fmt::join(words, ", "), given > most ? ", ..." : "");
}

// Constraints that are close to dependent at the last good node or ahead of it.
std::string Integration::Loop::nearly_dependent_sets() {
    constexpr double close = 1e-2;
    const auto node = stepper_->node();
    const std::vector<double> from(node.q.begin(), node.q.end()), p(node.p.begin(), node.p.end());
    std::vector<double> v(from.size()), q(from);
    system_->velocity(node.t, from, p, v);
    for (const double ahead : {0.0, 0.5, 1.0}) {
        for (std::size_t i = 0; i < q.size(); ++i) {
            q[i] = from[i] + ahead * step_ahead() * v[i];
        }
        if (auto sets = rank_fault(model_, *system_, node.t + ahead * step_ahead(), q, close); !sets.empty()) {
            return sets;
        }
    }
    return {};
}

RunFailure Integration::Loop::mass_failure(const std::string& fault) {
    return {accepted_ + 1, time_of(accepted_ + 1), "mass",
            fault + "; the trajectory reaches a region where the kinetic energy is not positive: fix the masses there, "
                    "end the run earlier, or try a smaller step"};
}

// A step that turns an angle so far that its turns cannot be counted.
std::string Integration::Loop::turned_too_far() {
    auto& windings = *system_->windings();
    const auto from = stepper_->node(), to = stepper_->trial_node();
    std::vector<double> v(to.q.size()), angles(windings.count()), rates(angles);
    system_->velocity(to.t, to.q, to.p, v);
    windings.angles(to.t, to.q, angles);
    windings.rates(to.t, to.q, v, rates);
    std::size_t fastest = 0;
    double most = 0;
    for (std::size_t k = 0; k < angles.size(); ++k) {
        const double turned = std::max(std::abs(angles[k] - to.turns[k]), std::abs(rates[k] * (to.t - from.t)));
        if (!(turned <= most)) {
            fastest = k;
            most = turned;
        }
    }
    return fmt::format("the step is too large to count turns: it turns the angle {} by {:.3g}, and at most {} can be "
                       "followed; use a smaller step",
                       model_.windings[fastest].name, most,
                       method_.lag() == 0 ? std::string("pi/2") : fmt::format("pi/{}", 2 * method_.lag() + 2));
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
    if (report.converged == -1) {
        failure.kind = "turns";
        failure.message = turned_too_far();
        return failure;
    }
    if (external_ != nullptr) {
        static_cast<void>(force_is_finite());  // asks again for the force of the last good node
    }
    if (external_ != nullptr && !external_->not_finite().empty()) {
        failure.kind = "not-finite";
        failure.message = fmt::format("{}, a function that cannot be traced, returned a non-finite number; the "
                                      "trajectory may have left its domain; try a smaller step",
                                      external_->not_finite());
        return failure;
    }
    const auto position = stepper_->pivot_position();
    const bool finite = std::ranges::all_of(position, [](double x) { return std::isfinite(x); });
    const bool lost = !(report.pivot > rank_tolerance);
    auto sets = finite && lost ? rank_fault(model_, *system_, failure.t, position, rank_tolerance) : std::string();
    if (finite && lost && sets.empty() && system_->properties().moving_constraints) {  // where the step began
        sets = rank_fault(model_, *system_, failure.t - options_.step, position, rank_tolerance);
    }
    if (!sets.empty()) {
        failure.kind = "rank";
        failure.message = "the constraints became rank-deficient:\n" + sets;
    } else if (finite && std::isfinite(report.pivot) && lost) {
        failure.kind = "rank";
        failure.message = fmt::format(
            "the constraints are linearly dependent to working precision (smallest relative pivot {:.2g}); use "
            "fewer or better conditioned constraints, or other initial values",
            report.pivot);
    } else if (auto undefined = undefined_force(model_, *system_, stepper_->node(), step_ahead()); !undefined.empty()) {
        failure.kind = "not-finite";
        failure.message = std::move(undefined);
    } else if (auto formula = undefined_on_the_way(); report.converged != 1 && !formula.empty()) {
        failure.kind = "not-finite";
        failure.message = std::move(formula);
    } else if (auto close = nearly_dependent_sets(); report.converged != 1 && !close.empty()) {
        failure.kind = "newton";
        failure.message =
            fmt::format("no solution of the step that continues the motion was found: near this position some "
                        "constraints are nearly dependent, and the constraint manifold may have several branches\n{}"
                        "Try a smaller or slightly different step, lobatto(s) or spark(s), or initial values that "
                        "avoid this position.",
                        close);
    } else if (report.converged != 1 && report.residual <= 1 && force_is_finite()) {  // decision 32
        failure.kind = "newton";
        failure.message = "the solution that was found for this step does not continue the motion: its momenta or its "
                          "energy change too much; try a smaller step";
    } else if (report.converged != 1 && force_is_finite()) {
        failure.kind = "newton";
        const auto how = std::isfinite(report.residual)
                             ? fmt::format("the iteration stagnates at {:.3g} times round-off", report.residual)
                             : std::string("the iteration diverged");
        failure.message =
            system_->properties().forced
                ? fmt::format("the equations of the step could not be solved ({}); try a smaller step; if that does "
                              "not help, look for points where a force is not smooth (sign, abs, if){}",
                              how,
                              reaction_count(*system_) == 0
                                  ? ""
                                  : ", where friction leaves the multipliers undetermined, or where "
                                    "the gradients of the constraints vanish or become parallel")
            : reaction_count(*system_) == 0
                ? fmt::format("the equations of the step could not be solved ({}); try a smaller step", how)
                : fmt::format("the constraints could not be satisfied ({}); try a smaller step; if that does not help, "
                              "look for points where their gradients vanish or become parallel",
                              how);
        failure.message += moving_names(model_);
        if (method_.record().periodicity != nullptr) {
            failure.message +=
                "; multistep methods need smaller steps than one-step methods, see `libration help multistep`";
        }
    } else {
        failure.kind = "not-finite";
        failure.message = "the state is no longer finite: the step is too large, or the motion reaches a singularity; "
                          "try a smaller step";
    }
    return failure;
}

RunFailure Integration::Loop::undefined_energy(std::int64_t n) {
    return {n, time_of(n), "not-finite",
            "the energy is no longer finite: the trajectory left the domain of the formulas; try a smaller step"};
}

}  // namespace libration
