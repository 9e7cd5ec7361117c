// Non-Hamiltonian forces, checked before a run: whether they can act at all, and whether they do what their class
// says.
#pragma once

#include "start.hpp"
#include <libration/kit/stepper.hpp>

namespace libration {

// What is wrong with the forces at a state: values that are NaN, or multipliers that they leave undetermined, as
// G M^-1 (G^T - f_lambda) is singular. [Jay 1998, (9)] Empty if all is well.
std::string force_fault(const Model& model, System<double>& system, double t, std::span<const double> q,
                        std::span<const double> p);

// The force that stops being a finite number where the motion leads within a step, for a message; empty if none does.
std::string undefined_force(const Model& model, System<double>& system, const Node<double>& node, double step);

// The times of a run.
struct RunTimes {
    double first = 0, last = 0;
};

// Forces that contradict their class at some states near the start, found by their power v^T f: dissipative ones that
// feed energy, driving ones that only take it, conservative ones that cannot have a potential.
std::vector<std::string> force_warnings(const Model& model, System<double>& system, const StartState<double>& start,
                                        const RunTimes& times);

// Forces that depend on reactions which redundant constraints leave undetermined; of a model that carries some rows.
std::vector<std::string> undetermined_force_warnings(const Model& model, System<double>& system,
                                                     const StartState<double>& start, double t);

// Stiff forces that a step does not resolve and that nothing damps.
std::vector<std::string> stiffness_warnings(const Model& model, System<double>& system, const StartState<double>& start,
                                            double step);

}  // namespace libration
