// Measurements of a method on a model, independent of its claims.
//
// Orders, symmetry and residuals are measured in quadruple precision (in double where there is none), so that order 20
// and a defect of 1e-20 can be seen; tangent maps with dual numbers; energy and momenta over a long run in double.
#pragma once

#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace libration {

// The state at one time, as decimal texts, reached from the initial values of the model.
struct ExactSolution {
    double time = 0;
    std::vector<std::string> q, p, lambda;
    double accuracy = 1e-25;
    std::string source;
};

struct CertifyOptions {
    double step = 0;                     // the largest reasonable step; 0: from the model
    double duration = 0;                 // over which errors are measured; 0: that of the model, see OrderWindow
    std::optional<ExactSolution> exact;  // nothing: computed, from moving initial values
    // Work of one measurement: steps, times evaluations per step, times coordinates. Runs that would exceed it are
    // skipped.
    double work = 2'000'000;
    bool project = false;  // from the projected initial values, as a run with `project`
};

// The time over which errors are measured: the duration that is given, that of the exact solution, that of the model,
// or, where the model names none, until the motion returns through its start. Shorter where errors would no longer be
// small, as in chaotic motions, or where the work does not suffice.
struct OrderWindow {
    double length = 0;
    double duration = 0;  // of the model; 0: it names none
    std::string shorter;  // why the window is shorter than that; empty: it is not
    bool kinks = false;   // within the window a formula changes its branch or touches a place where it is not smooth
    std::string later;    // likewise after the window, until the duration; empty: nothing does
};

// One run of the ladder: errors at the end and largest residuals along it, all relative to the size of q, p, lambda.
struct Rung {
    std::int64_t steps = 0;
    double h = 0;
    double q = 0, p = 0, lambda = 0;
    double position = 0, hidden = 0;  // in units of their own round-off
    bool failed = false;
};

// An order read off a ladder: the logarithm of the quotient of the finest two errors above the plateau of round-off.
struct MeasuredOrder {
    std::optional<double> value;  // nothing: fewer than two quotients
    bool settled = false;         // the quotients before and after agree
    bool rising = false;          // they do not, and the last one is the larger
    double before = 0;            // the quotient before the last
    // Across kinks quotients scatter: the value is a fit to the last six errors then, and this its standard error.
    std::optional<double> scatter;
};

// A number that is zero but for round-off, or not. `tolerance` is the round-off to be expected.
struct Defect {
    bool measured = false;
    double size = 0, tolerance = 0;
    double h = 0;
    std::int64_t steps = 0;
    std::string failure;       // why nothing was measured
    bool undecidable = false;  // it is the model or the step, not the method, that prevents it
    // The error of the method itself over as many steps: a defect far below it would go unnoticed.
    double visible = 0;
    [[nodiscard]] bool is_round_off() const { return measured && size <= tolerance; }
    // Round-off cannot explain it: a thousand times more than is to be expected.
    [[nodiscard]] bool is_clear() const { return measured && size > 1e3 * tolerance; }
    // A method without the property would show it: its defect may be ten times smaller than its error, and must still
    // be clear.
    [[nodiscard]] bool would_show() const { return visible > 1e4 * tolerance; }
};

struct EnergyTrend {
    bool measured = false;
    double drift = 0;   // slope of the energy times the time, by least squares
    double spread = 0;  // largest minus smallest energy
    double round_off = 0;
    double h = 0;
    std::int64_t steps = 0;  // made, to the end or to where the energy was lost
    std::string failure;
    bool lost = false;    // its error exceeded a fifth of the largest |p v| so far, and the run ended there
    double error = 0;     // largest |H - H(0)|
    int turns = 0;        // of the motion, two per period
    bool steady = true;   // the mean energy moves one way through the run
    bool ended = false;   // the run: by a loss or a failure, which no oscillation explains
    bool large = false;   // the error, although the step was halved and halved again: no oscillation of a method is
    bool kinks = false;   // H is not smooth along the run: there is no theory of bounded energy
    bool visible = true;  // errors of the method exceed round-off
    bool undecidable = false;  // no step was small enough
    // Lost for the most part within a few steps: until this time, and by how many radians the fastest oscillation turns
    // there in a step. Nodes of the run may lie on both sides of a close encounter, so that the rate at nodes does not
    // know of it.
    struct Event {
        double time = 0, radians = 0;
        double usual = 0;  // radians per step within the window of the orders
        // Half a radian is resolved by every method: the error of the energy is a few hundredths, not a fifth. Anything
        // no faster than the usual motion is not an event.
        [[nodiscard]] bool resolved() const { return radians < 0.5 || radians < 2 * usual; }
    };
    std::optional<Event> event;
};

// Measured where the model has it: lambda with constraints, volume for fields without divergence, and so on.
struct Measurement {
    bool constrained = false, separable = true, partitioned = true, hamiltonian = true, conservative = true;
    bool linear = false;  // the equations of motion are: methods may have properties that they do not have in general
    bool flat_constraints = false;  // G is constant
    bool resolved = true;           // the smallest steps that were tried are small for the fastest motion
    bool asymptotic = true;         // likewise, small enough for an order to show
    OrderWindow window;
    double position_size = 0, hidden_size = 0;  // largest residuals seen in double
    std::vector<Rung> ladder;
    MeasuredOrder q, p, lambda, position, hidden;
    std::string ladder_failure;  // all runs failed
    std::string reference;       // what the errors are measured against
    double reference_accuracy = 0;
    Defect symmetry, symplecticity, volume, momentum_map;
    std::optional<Defect> gradient;  // of a backward run against exact tangents; nothing: its record claims none here
    std::string why_forward;         // for this reason
    Defect position_defect, hidden_defect;
    EnergyTrend energy;
    std::optional<bool> constant_forces;  // every step takes the same number of force evaluations, whatever its size
    double forces_a_step = 0;
    bool iterations_show = true;       // steps are large enough for an iteration to need more than one pass
    std::vector<std::string> momenta;  // invariants of the model that are momentum maps
    bool angular = false;              // some of them depend on q: all methods conserve the others
};

// Throws an InputError if the method cannot run the model or the model is invalid.
Measurement measure(const Method& method, const Model& model, const CertifyOptions& options = {});

// The order of a ladder. Errors below a thousand floors are plateau; those above a tenth no longer reflect the
// order. `lever`: how many rungs lie between the two errors of a quotient.
MeasuredOrder order_of(const std::vector<double>& steps, const std::vector<double>& errors, double floor,
                       std::size_t lever = 1);
// By a fit through the last six errors that are neither; nothing if there are fewer.
MeasuredOrder fitted_order(const std::vector<double>& steps, const std::vector<double>& errors, double floor);

}  // namespace libration
