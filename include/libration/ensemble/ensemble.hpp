// Many trajectories of one model at once: parameters and initial values differ, all else is shared. Every trajectory is
// bitwise identical to a separate run, for any number of lanes and threads.
//
//     EnsembleOptions ensemble{.values = draw_all({read_variation("g = uniform(9, 10)")}, 1, 1000)};
//     auto result = run_ensemble(model, method("rattle"), {.step = 0.01, .duration = 100, .monitor = 100}, ensemble);
#pragma once

#include <libration/ensemble/variation.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>

#include <array>
#include <functional>
#include <limits>
#include <span>

namespace [[gnu::visibility("default")]] libration {

// Trajectories that are computed, kept and restored together. The number is part of the files.
inline constexpr std::size_t trajectories_a_batch = 16;
// Upper limit on the numbers held for quantiles (2 GiB).
inline constexpr std::size_t most_sampled_numbers = std::size_t{1} << 28U;

inline constexpr std::array<int, 5> quantile_percents{5, 25, 50, 75, 95};

// Statistics of one quantity over all trajectories at one time.
struct NodeStatistics {
    std::size_t count = 0;  // trajectories that reached this time
    double mean = 0, deviation = 0, smallest = 0, largest = 0;
    std::array<double, quantile_percents.size()> quantiles{};
};

// In the order given, so that results do not depend on scheduling; quantiles are exact, with linear interpolation
// between two values. `values` are sorted afterwards. All are NaN if a value is, or if there are none.
NodeStatistics statistics_of(std::span<double> values);

struct EnsembleOptions {
    VariedValues values;
    bool trajectories = false;  // keep every `every`-th node of all trajectories, for the sink
    unsigned threads = 1;
    Backend backend = Backend::automatic;
};

// How one trajectory ended. A trajectory that could not start has failed at step 0 with the kind "start".
struct TrajectoryOutcome {
    RunStatus status = RunStatus::completed;
    std::optional<RunFailure> failure;
    std::int64_t steps = 0;
    double t = 0;
    std::vector<double> q, p;  // the last good ones; not a number where it could not start
    double energy_initial = 0, energy_error = 0, energy_error_max = 0;
    double constraint_max = 0, hidden_max = 0, floors_max = 0;
    // A number of VerdictWord, by the numbers of the monitored nodes alone; NaN where nothing was monitored, and where
    // the energy is not conserved: its balance needs every node.
    double verdict = std::numeric_limits<double>::quiet_NaN();
};

// How many trajectories got each verdict; `none`: were not judged.
struct VerdictShares {
    double good = 0, rough = 0, meaningless = 0, none = 0;  // of all, from 0 to 1
};
VerdictShares verdict_shares(const std::vector<TrajectoryOutcome>& trajectories);

// Rows of numbers at nodes: one row per node, from the first until the trajectory ended.
struct NodeRows {
    std::size_t width = 0;
    std::vector<double> numbers;
    [[nodiscard]] std::size_t rows() const { return width == 0 ? 0 : numbers.size() / width; }
};

struct TrajectoryRecord {
    TrajectoryOutcome outcome;
    NodeRows samples;  // at monitored nodes: q, H - H(0), observables
    NodeRows frames;   // on request: q, p
};

struct BatchRecord {
    std::size_t batch = 0;
    std::vector<TrajectoryRecord> trajectories;
};

// Receives finished batches one at a time, in no particular order. May throw FileError, which ends the ensemble.
class EnsembleSink {
  public:
    virtual ~EnsembleSink() = default;
    virtual void finished(const BatchRecord& batch) = 0;
};

struct EnsembleProgress {
    std::size_t done = 0, total = 0;  // trajectories
    std::size_t restored = 0;
    std::int64_t steps = 0;  // taken now, over all trajectories
    double seconds = 0;
};

// Hooks that a program may attach to an ensemble.
struct EnsembleHooks {
    EnsembleSink* sink = nullptr;
    std::function<void(const EnsembleProgress&)> progress = {};  // called with each finished batch, one call at a time
    const StopSignal* stop = nullptr;                            // unfinished batches are discarded
    std::vector<BatchRecord> restored = {};                      // are not recomputed; frames are not needed
};

struct EnsembleResult {
    std::string model, method, backend;
    std::string lanes_note;  // why trajectories ran one at a time; empty: they ran in lanes
    double step = 0;
    std::int64_t steps = 0, monitor = 0;
    bool complete = true;  // false: stopped before the end; statistics are missing then
    VariedValues values;
    std::vector<TrajectoryOutcome> trajectories;
    std::vector<double> times;            // of the monitored nodes
    std::vector<std::string> channels;    // coordinates, energy_error, observables
    std::vector<NodeStatistics> by_node;  // [node * channels + channel]
    std::vector<std::string> warnings;
    std::optional<ChosenSettings> chosen;  // for the model as it is, of which the trajectories are variants
    double seconds = 0;
    std::int64_t steps_made = 0;  // by this call
    unsigned threads = 1;
    [[nodiscard]] std::size_t count(RunStatus status) const;
};

// The monitored nodes are those of options.monitor (0: only first and last). InputError if the ensemble as a whole is
// invalid, or if no trajectory can start.
EnsembleResult run_ensemble(const Model& model, const Method& method, const IntegrationOptions& options,
                            const EnsembleOptions& ensemble, EnsembleHooks hooks = {});

// The checks that need no step: names, needs of the method, sizes. InputError.
void check_ensemble(const Model& model, const Method& method, const IntegrationOptions& options,
                    const EnsembleOptions& ensemble);
// Among these, that statistics and recorded trajectories fit into memory; `options` with `steps` or a
// duration.
void check_ensemble_size(const Model& model, const IntegrationOptions& options, std::size_t count, bool trajectories);

// The nodes whose numbers are 0, K, 2K, ... and the last one; K = 0: first and last.
std::vector<std::int64_t> node_numbers(std::int64_t steps, std::int64_t every);

}  // namespace libration
