// What can be measured of a method on a model, without regard to what it claims.
//
// Orders, symmetry and residuals are measured in quadruple precision (in double where there is none), so that order 20 and a
// defect of 1e-20 can be seen; tangent maps with dual numbers; energy and momenta over a long run in double.
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
    double step = 0;                     // the largest sensible step; 0: from the model
    double duration = 0;                 // over which errors are measured; 0: eight such steps
    std::optional<ExactSolution> exact;  // nothing: computed, from moving initial values
    // Work of one measurement: steps, times evaluations a step, times coordinates. Runs that would exceed it are not made.
    double work = 2'000'000;
};

// One run of the ladder: errors at the end and largest residuals on the way, all relative to the size of q, p, lambda.
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
};

// A number that is zero but for round-off, or not. `tolerance` is the round-off to be expected.
struct Defect {
    bool measured = false;
    double size = 0, tolerance = 0;
    double h = 0;
    std::int64_t steps = 0;
    std::string failure;       // why nothing was measured
    bool undecidable = false;  // it is the model, not the method, that prevents it
    [[nodiscard]] bool is_round_off() const { return measured && size <= tolerance; }
    // Round-off cannot explain it: a thousand times more than is to be expected.
    [[nodiscard]] bool is_clear() const { return measured && size > 1e3 * tolerance; }
};

struct EnergyTrend {
    bool measured = false;
    double drift = 0;   // slope of the energy times the time, by least squares
    double spread = 0;  // largest minus smallest energy
    double round_off = 0;
    double h = 0;
    std::int64_t steps = 0;  // made, to the end or to where the energy was lost
    std::string failure;
    bool lost = false;  // its error exceeded a fifth of the largest |p v| so far, and the run ended there
    double error = 0;   // largest |H - H(0)|
};

// Measured where the model has it: lambda with constraints, volume for fields without divergence, and so on.
struct Measurement {
    bool constrained = false, separable = true, partitioned = true, hamiltonian = true, conservative = true;
    double position_size = 0, hidden_size = 0;  // largest residuals seen in double
    std::vector<Rung> ladder;
    MeasuredOrder q, p, lambda, position, hidden;
    std::string ladder_failure;  // all runs failed
    std::string reference;       // what the errors are measured against
    double reference_accuracy = 0;
    Defect symmetry, symplecticity, volume, momentum_map;
    Defect position_defect, hidden_defect;
    EnergyTrend energy;
    std::optional<bool> constant_forces;  // every step takes the same number of force evaluations, whatever its size
    double forces_a_step = 0;
    std::vector<std::string> momenta;  // invariants of the model that are momentum maps
    bool angular = false;              // some of them depend on q: all methods keep the others
};

// Throws an InputError if the method cannot run the model or the model is not sound.
Measurement measure(const Method& method, const Model& model, const CertifyOptions& options = {});

// The order of a ladder. Errors below a thousand floors are plateau; those above a tenth are no errors of a method any more.
// `lever`: how many rungs lie between the two errors of a quotient.
MeasuredOrder order_of(const std::vector<double>& steps, const std::vector<double>& errors, double floor,
                       std::size_t lever = 1);

}  // namespace libration
