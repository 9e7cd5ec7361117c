// The exact derivative of a loss by parameters and initial values: of a formula of the state at the end of a run or at
// an event, of time integrals, or of the sum of squared deviations from measurements.
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

// A table of measured values.
struct Measurements {
    std::vector<double> t;  // in any order; the same time may occur several times
    struct Column {
        std::string formula;          // what was measured: over q, p_, v_, lambda_, t, parameters and observables
        std::vector<double> values;   // one for each time; NaN: not measured
        std::vector<double> sd = {};  // standard deviations; empty: 1
    };
    std::vector<Column> columns;
};

struct Derivative {
    std::string name;
    double value = 0;
};

struct GradientOptions {
    IntegrationOptions run;  // steps of equal length; with `data`, neither duration nor steps: until the last time
    // A formula of the state at the end over q, p_, v_, lambda_, t, parameters and observables, in which integral(EXPR)
    // is an integral over the run; or at(EVENT, EXPR), a formula of the state at the first occurrence of an event.
    std::string loss;
    // In place of a loss: the sum over all measured values of ((prediction - value)/sd)^2.
    std::optional<Measurements> data = std::nullopt;
    // Parameters; lists as m, or one element as m[3]; initial values as x, p_x, v_x. Empty: all scalar parameters that
    // are numbers and not formulas.
    std::vector<std::string> by;
    // A direction: parameters and initial values, and how much of each. Not empty: also the product of the second
    // derivatives with it.
    std::vector<Derivative> hessian_along;
    GradientMode mode = GradientMode::automatic;
    const StopSignal* stop = nullptr;  // where it is requested, GradientStopped is thrown
    // A file in which the work is kept every so many seconds, at the end, and when a stop is requested. The same call
    // continues it, to the bits that it would have had without a stop; a file of other settings is refused, unless it
    // is to be overwritten. Empty: nothing is kept.
    std::string checkpoint;
    bool overwrite = false;
    double checkpoint_seconds = 10;
};

// Thrown where a stop was requested.
struct GradientStopped {};

// A list parameter among the unknowns: its derivatives are those from `first` on, by name[0], name[1], ...
struct DerivativeList {
    std::string name;
    std::size_t first = 0, count = 0;
};

struct Gradient {
    std::string model, method;
    double loss = 0;
    std::size_t measured = 0;             // values that the loss sums up; 0: it is a formula
    std::vector<Derivative> derivatives;  // in the order of `by`, one for each element of a list; empty after a failure
    std::vector<DerivativeList> lists;    // those that `by` names
    // H v along `hessian_along`: how each derivative changes along that direction, in their order.
    std::vector<double> hessian_product;
    GradientMode mode = GradientMode::backward;
    std::int64_t stored_every = 0;  // steps; a backward run follows the states that were stored so often
    std::string why_forward;        // where `automatic` did not go backward
    double tangent_growth = 1;      // how much the run enlarged a disturbance
    double digits = 0;              // correct digits that rounding left, by this growth and by what was measured
    double step = 0;                // of adaptive runs the first guess
    bool adaptive = false;          // the sizes that the run chose are held fixed
    std::int64_t steps = 0;
    double seconds = 0, run_seconds = 0;  // of all, and of the run itself
    double setup_seconds = 0;             // of all, what was spent on compiling code
    std::string backend;                  // of a backward run: its code, or why it has none
    std::int64_t compiled_steps = 0;      // of a backward run
    std::vector<std::string> warnings;
    std::optional<RunFailure> failure;  // of the run, or "gradient": no correct digit is left
};

// InputError for what cannot be differentiated, with the reason and the remedy.
Gradient gradient(const Model& model, const Method& method, const GradientOptions& options);

// What the model predicts for all measured values, and the derivative of each prediction by each unknown.
struct Jacobian {
    std::string model, method;
    std::vector<double> values;  // predictions: time after time in the order of the table, then columns; no gaps
    std::vector<double> matrix;  // values x unknowns, row after row; empty after a failure
    // Of each value: the time, the number of the column, what was measured, and its standard deviation.
    std::vector<double> t, measured, sd;
    std::vector<std::size_t> column;
    std::vector<std::string> by;
    GradientMode mode = GradientMode::forward;
    std::int64_t stored_every = 0;
    std::string why_forward;
    double tangent_growth = 1;
    double digits = 0;
    double step = 0;        // of adaptive runs the first guess
    bool adaptive = false;  // the sizes that the run chose are held fixed
    std::int64_t steps = 0;
    double seconds = 0, run_seconds = 0, setup_seconds = 0;
    std::string backend;
    std::int64_t compiled_steps = 0;
    std::vector<std::string> warnings;
    std::optional<RunFailure> failure;
};

// `options.data` says what is measured. `automatic` takes the mode that needs fewer tangent steps: forward for few
// unknowns, backward for few values.
Jacobian jacobian(const Model& model, const Method& method, const GradientOptions& options);

}  // namespace libration
