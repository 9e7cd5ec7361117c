// The exact derivative of a loss, a formula of the state at the end of a run, by parameters and initial values.
//
//     auto slope = gradient(model, method("rattle"), {.run = {.step = 0.01, .duration = 10}, .loss = "x^2 + v_y"});
//     slope.derivatives[0].value;                 // by slope.derivatives[0].name
//
// It is the derivative of the numerical solution, with the steps that were made, and not an approximation of it.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/methods/method.hpp>

#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

struct Model;  // model.hpp

// backward: one tangent run with the step -h gives all derivatives; for methods that are symplectic on the model.
// forward: one tangent run for each four unknowns; for all methods. automatic: backward where possible.
enum class GradientMode { automatic, backward, forward };
std::string to_string(GradientMode mode);

struct GradientOptions {
    IntegrationOptions run;  // steps of equal length
    std::string loss;        // over q, p_, v_, lambda_, t, parameters and observables
    // Parameters, and initial values as x, p_x, v_x. Empty: all scalar parameters that are numbers and not formulas.
    std::vector<std::string> by;
    GradientMode mode = GradientMode::automatic;
    const StopSignal* stop = nullptr;
};

struct Derivative {
    std::string name;
    double value = 0;
};

struct Gradient {
    std::string model, method;
    double loss = 0;
    std::vector<Derivative> derivatives;  // in the order of `by`; empty after a failure
    GradientMode mode = GradientMode::backward;
    std::int64_t stored_every = 0;  // steps; a backward run follows the states that were stored so often
    std::string why_forward;        // where `automatic` did not go backward
    double tangent_growth = 1;      // how much the run enlarged a disturbance
    double digits = 0;              // correct digits that rounding left, by this growth and by what was measured
    double step = 0;
    std::int64_t steps = 0;
    double seconds = 0, run_seconds = 0;  // of all, and of the run itself
    std::vector<std::string> warnings;
    std::optional<RunFailure> failure;  // of the run, or "gradient": no correct digit is left
};

// InputError for what cannot be differentiated, with the reason and the remedy.
Gradient gradient(const Model& model, const Method& method, const GradientOptions& options);

}  // namespace libration
