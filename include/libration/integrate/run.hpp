// The options of a run and its results.
#pragma once

#include <libration/integrate/verdict.hpp>
#include <libration/methods/adaptive.hpp>
#include <libration/model/event.hpp>

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// Execution engine: `automatic` generates machine code for runs long enough to benefit from it.
enum class Backend { automatic, interpreted, generated };

// What a choice of method and step size found before a run (choose.hpp): the run reports it.
struct ChosenSettings {
    std::string method;
    double step = 0, duration = 0;
    double error = 0, energy_error = 0;  // predicted; NaN where unknown
    std::string reason;
};

struct IntegrationOptions {
    double step = 0;
    std::optional<double> duration;     // N = round(duration/step) steps; the step is never changed
    std::optional<std::int64_t> steps;  // or N itself
    std::int64_t every = 1;             // observers see every K-th node, and always the first and the last
    std::int64_t monitor = 1;           // energy, residuals and invariants every K nodes; 0: only first and last
    bool project = false;               // project inconsistent initial values onto the manifold
    // Estimate the error of the end state by a companion run, which costs at most a tenth of the run or a millisecond.
    bool estimate_error = false;
    double start_time = 0;
    std::optional<AdaptiveOptions> adaptive;  // adaptive step size; `step` is the initial guess
    std::vector<double> at;     // observers see the states at these times, by dense output, instead of every K-th node
    std::vector<Event> events;  // besides those of the model
    std::string stop_if;  // a condition over q, p_, v_, lambda_, t: the run stops at the first node where it holds
    Backend backend = Backend::automatic;  // execution engine of a step: results are bitwise identical
    std::optional<ChosenSettings> chosen;  // for the report alone
};

// A request to end work in progress. It may come from a signal handler, a timer, a callback or another thread; runs,
// ensembles and measurements check it between steps.
class StopSignal {
  public:
    void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> requested_{false};
    static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch lock-free atomics only");
};

enum class RunStatus { completed, stopped, failed };
std::string to_string(RunStatus status);

struct RunFailure {
    std::int64_t step = 0;  // the step that failed
    double t = 0;           // the time it would have reached
    std::string kind;       // newton, rank, mass, step-size, event or not-finite
    std::string message;
};

struct InvariantSummary {
    std::string name;
    double initial = 0, final = 0, max_error = 0;
};

struct EvaluationCounts {
    std::int64_t force = 0, constraint = 0, jacobian = 0, newton_iterations = 0, factorizations = 0;
};

// Summary of all occurrences of an event.
struct EventSummary {
    std::string name;
    std::int64_t count = 0;
    double first = 0, last = 0;        // times
    double smallest = 0, largest = 0;  // values at the nodes: why it never occurred
};

// How initial values that violate the constraints were changed.
struct StartChange {
    std::string how;             // projected, assembled
    double q = 0, p = 0;         // the largest change of a coordinate and of a momentum
    std::string q_name, p_name;  // whose; empty: of none
};

// The outcome. q, p, v and lambda are at the same time t, for every method.
struct Run {
    // Defined in the library, as those of a model are.
    Run();
    Run(const Run&);
    Run(Run&&) noexcept;
    Run& operator=(const Run&);
    Run& operator=(Run&&) noexcept;
    ~Run();

    std::string model, method;
    int order = 0;
    double step = 0;
    std::int64_t steps = 0;
    std::int64_t steps_made =
        0;  // of these, by this run and not by the one that it resumed; including extra steps for late momenta
    double t = 0;
    RunStatus status = RunStatus::completed;
    std::optional<RunFailure> failure;
    std::optional<RunVerdict> verdict;            // nothing with `monitor` 0, and without steps
    std::optional<ErrorEstimate> error_estimate;  // nothing unless the options ask for it, and where it cannot be had
    std::vector<double> q, p, v, lambda;
    std::vector<double> angles;  // those that count turns, in the order of the model, whose first observables they are
    double seconds = 0, setup_seconds = 0;
    // Maxima are over the start, the end and every `monitor`-th node; with `monitor` 0 nothing was monitored, and they
    // are NaN.
    std::int64_t monitor = 1;
    struct {
        double initial = 0, final = 0, final_error = 0, max_error = 0;
        bool conserved = true;
        std::string changed_by;  // why it is not conserved
    } energy;
    // H minus the work done since the start by forces, moving constraints and explicit time: the energy error where the
    // energy is conserved, NaN for vector fields without H.
    struct {
        double max_error = 0;
    } balance;
    struct {
        double max = 0, hidden_max = 0;
        double max_floors = 0;    // over all steps, the largest |g_i| in units of its own round-off
        std::string hidden_name;  // what the hidden residual is made of
    } constraint;
    // Sizes of the motion, over the same nodes; NaN where nothing was monitored, in fields without H, and where an
    // earlier version made a part of the run.
    struct EnergyScale {
        double kinetic = std::numeric_limits<double>::quiet_NaN();  // largest T = p v/2; |p v| of a whole hamiltonian
        double potential_low = kinetic, potential_high = kinetic;   // extremes of H - T; of H - p v there
    } energy_scale;
    // sqrt(max |dp dv| / max |p v|), where dp and dv are the changes of p and v in one step: for an oscillation with
    // frequency omega the angle h omega. NaN unless every node was monitored.
    double turn = std::numeric_limits<double>::quiet_NaN();
    // Energy minus initial energy at the monitored nodes 0, stride, 2 stride, ..., at most 1024 of them.
    struct EnergyHistory {
        std::vector<double> t, error;
        std::int64_t stride = 1;
    } energy_history;
    struct {
        std::optional<AdaptiveOptions> options;  // nothing: constant step size
        double smallest = 0, largest = 0;        // step sizes
        std::int64_t rejected = 0;
    } adaptive;
    std::vector<InvariantSummary> invariants;
    std::vector<EventSummary> events;
    EvaluationCounts evaluations;
    std::optional<ChosenSettings> chosen;  // nothing: method, step and duration were given
    std::optional<StartChange> start;      // nothing: the run starts with the initial values as they are given
    std::vector<std::string> warnings;
    struct {
        std::string name = "interpreted";  // or "generated step (...)", "generated kernels (...)"
        std::string reason;                // why it is not the one requested, or not worthwhile
        double seconds = 0;                // spent on generating code, before the first step
    } backend;
};

// One node as observers see it. The spans are valid during the call only.
struct Sample {
    std::int64_t step = 0;
    double t = 0;
    std::span<const double> q, p, v, lambda, observables;
    double energy = 0;
    double constraint = 0;  // max |g_i|
    double hidden = 0;      // max |(G v)_i|
};

// Observers only read; attaching one never changes the trajectory.
class Observer {
  public:
    virtual ~Observer() = default;
    virtual void see(const Sample& sample) = 0;
    // The state at event number `event` (of the model, then of the options); `rising`: the value
    // increases.
    virtual void happen(std::size_t, bool, const Sample&) {}
};

// States along a run, in memory: one row each.
struct RecordedStates {
    std::vector<std::int64_t> step;
    std::vector<double> t, energy, constraint, hidden;
    std::vector<std::vector<double>> q, p, v, lambda, observables;  // [row][component]

    [[nodiscard]] std::size_t rows() const { return t.size(); }
    void add(const Sample& sample);
    // Valid as long as the states.
    [[nodiscard]] Sample sample(std::size_t row) const;
};

// Keeps every sample in memory.
class Recorder final : public Observer, public RecordedStates {
  public:
    void see(const Sample& sample) override { add(sample); }
};

}  // namespace libration
