// One trajectory of an ensemble: a run of its own, of which the steps may be made elsewhere.
#pragma once

#include "integrate/mass_watch.hpp"
#include "varied_model.hpp"

#include "integrate/monitor.hpp"
#include "integrate/redundancy.hpp"
#include "integrate/row_watch.hpp"
#include "lane_stepper.hpp"
#include "manifold/manifold.hpp"
#include <libration/ensemble/ensemble.hpp>

namespace libration {

// What all trajectories have in common.
struct EnsemblePlan {
    const VariedModel* models = nullptr;
    Method method;
    IntegrationOptions options;  // `every` of single runs: each node that is needed
    std::int64_t steps = 0;
    std::int64_t sample_every = 1;  // nodes of the statistics; 0: first and last
    std::int64_t frame_every = 0;   // nodes of recorded trajectories; 0: none
    const LaneBackend* backend = nullptr;
    const StopSignal* stop = nullptr;

    [[nodiscard]] bool wants_sample(std::int64_t n) const {
        return n == 0 || n == steps || (sample_every > 0 && n % sample_every == 0);
    }
    [[nodiscard]] bool wants_frame(std::int64_t n) const {
        return frame_every > 0 && (n % frame_every == 0 || n == steps);
    }
    [[nodiscard]] bool stopped() const { return stop != nullptr && stop->requested(); }
};

// Keeps what the ensemble wants of the nodes.
class NodeKeeper final : public Observer {
  public:
    NodeKeeper(const EnsemblePlan& plan, TrajectoryRecord& record) : plan_(&plan), record_(&record) {}
    void see(const Sample& sample) override;

  private:
    const EnsemblePlan* plan_;
    TrajectoryRecord* record_;
    double initial_energy_ = 0;
};

class LaneTrajectory {
  public:
    // `system`: one that trajectories of this thread share because their parameters are the same; null: it makes its
    // own, and leaves it there where it can be shared. InputError if it cannot start.
    LaneTrajectory(const EnsemblePlan& plan, std::size_t number, TrajectoryRecord& record,
                   std::shared_ptr<System<double>>& system);

    [[nodiscard]] std::size_t number() const { return number_; }
    // Whether its equations have the form of the base model: only then can it be in a lane beside others.
    [[nodiscard]] bool fits_lanes() const;
    [[nodiscard]] const LaneMemory& memory() const { return saved_; }

    // Whether M(t, q) must be looked at after every step, and what a look says of a memory in a lane.
    [[nodiscard]] bool watches_mass() const { return mass_watch_.needed(); }
    bool mass_is_definite(const LaneMemory& memory);
    // Steps that were made in a lane led to this memory, with this largest residual. False if the node there is none to
    // accept: then the trajectory stays where it was.
    bool arrive(LaneMemory memory, std::int64_t accepted, double floors);
    // Of redundant constraints: whether rows are looked at along the way, and whether they contradict each other at the
    // node where it arrived: then it goes on alone, to say so.
    [[nodiscard]] bool looks_at_rows() const { return row_watch_.needed(); }
    [[nodiscard]] bool rows_contradict();
    // Of a memory from which the next step was refused: whether the rows carried are the reason, and no others are
    // better. The memory then allows the step.
    bool goes_on_with_its_rows(LaneMemory& memory);
    // The last node was reached in a lane.
    void complete();
    // The rest in a run of its own, from the last node where it arrived. False if it was stopped from outside.
    bool continue_alone();

  private:
    const EnsemblePlan* plan_;
    std::size_t number_;
    TrajectoryRecord* record_;
    PreparedModel prepared_;
    Model model_;
    std::shared_ptr<System<double>> system_;
    Manifold<double> manifold_;
    MassWatch mass_watch_;
    RowWatch row_watch_;
    NodeReader reader_;
    Monitor monitor_;
    std::unique_ptr<Stepper<double>> stepper_;
    NodeKeeper keeper_;
    LaneMemory saved_;
    std::int64_t accepted_ = 0;
    bool energy_is_finite_ = true;  // at the start
};

// A whole trajectory as a single run. False if it was stopped from outside.
bool run_alone(const EnsemblePlan& plan, std::size_t number, TrajectoryRecord& record);
// A trajectory that could not start.
void note_bad_start(const EnsemblePlan& plan, const std::string& message, TrajectoryRecord& record);
// Those of a batch, in lanes where the plan has a backend. False if stopped from outside.
bool run_batch(const EnsemblePlan& plan, std::size_t first, std::span<TrajectoryRecord> records);

}  // namespace libration
