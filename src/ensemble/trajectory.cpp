// Start, arrival at nodes, and the way on alone.
#include "trajectory.hpp"

#include "integrate/checked_start.hpp"
#include "integrate/checkpoint.hpp"
#include "integrate/model_words.hpp"
#include "manifold/rank.hpp"
#include "methods/row_guard.hpp"
#include "model/carried.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/text/error.hpp>

#include <cmath>
#include <limits>

namespace libration {

namespace {

// The same in a lane and alone: the balance of energies that are not conserved is known only of runs that stop at every
// node.
double verdict_of(const Run& run) {
    const bool judged = can_be_judged(run) && (run.energy.conserved || run.failure);
    return judged ? static_cast<double>(judge(run, {}).word) : std::numeric_limits<double>::quiet_NaN();
}

TrajectoryOutcome outcome_of(const Run& run) {
    return {run.status,
            run.failure,
            run.steps,
            run.t,
            run.q,
            run.p,
            run.energy.initial,
            run.energy.final_error,
            run.energy.max_error,
            run.constraint.max,
            run.constraint.hidden_max,
            run.constraint.max_floors,
            verdict_of(run)};
}

bool finish_alone(const EnsemblePlan& plan, Integration& integration, NodeKeeper& keeper, TrajectoryRecord& record) {
    integration.observe(keeper);
    if (plan.stop != nullptr) {
        integration.stop_on(*plan.stop);
    }
    record.outcome = outcome_of(integration.run());
    return !(record.outcome.status == RunStatus::stopped && plan.stopped());
}

}  // namespace

void NodeKeeper::see(const Sample& sample) {
    if (sample.step == 0) {
        initial_energy_ = sample.energy;
    }
    const auto add = [](NodeRows& rows, std::span<const double> numbers) {
        rows.numbers.insert(rows.numbers.end(), numbers.begin(), numbers.end());
    };
    if (plan_->wants_sample(sample.step)) {
        auto& rows = record_->samples;
        rows.width = sample.q.size() + 1 + sample.observables.size();
        add(rows, sample.q);
        rows.numbers.push_back(sample.energy - initial_energy_);
        add(rows, sample.observables);
    }
    if (plan_->wants_frame(sample.step)) {
        record_->frames.width = 2 * sample.q.size();
        add(record_->frames, sample.q);
        add(record_->frames, sample.p);
    }
}

LaneTrajectory::LaneTrajectory(const EnsemblePlan& plan, std::size_t number, TrajectoryRecord& record,
                               std::shared_ptr<System<double>>& system)
    : plan_(&plan), number_(number), record_(&record),
      prepared_(system ? PreparedModel{plan.models->of(number), {}, {}, {}, {}}
                       : prepared(plan.models->of(number), plan.options.start_time)),
      model_(std::move(prepared_.model)), system_(system ? system : std::move(prepared_.system)), manifold_(*system_),
      mass_watch_(model_, *system_), row_watch_(model_, *system_),
      reader_(model_, *system_, manifold_, plan.options.start_time),
      monitor_(model_, reader_.invariants().size(), plan.options.monitor),
      stepper_(guarding_rows<double>(model_, plan.method, *system_, make_stepper<double>(plan.method, *system_))),
      keeper_(plan, record) {
    if (!prepared_.fault.empty()) {
        throw InputError(prepared_.fault);
    }
    // With redundant constraints, each chooses its rows.
    if (!plan.models->parameters_vary() && !model_.carried) {
        system = system_;
    }
    // As Integration does it.
    const auto& options = plan.options;
    auto start = checked_start(model_, *system_, manifold_, options);
    std::vector<double> q_low(start.q.size());
    monitor_.note_floors(manifold_.refine_position(options.start_time, start.q, q_low, start.p));
    stepper_->start({options.start_time, start.q, q_low, start.p}, options.step);
    if (row_watch_.needed()) {
        set_carried_pivot(*stepper_, row_watch_.pivot(stepper_->node()));
    }
    const auto sample = reader_.read(stepper_->node(), 0, true);
    monitor_.begin(sample, reader_.invariants());
    energy_is_finite_ = std::isfinite(sample.energy);
    keeper_.see(sample);
    saved_ = memory_of(*stepper_);
}

bool LaneTrajectory::fits_lanes() const {
    const auto& base = plan_->models->lane_model();
    const bool same_rows = !model_.carried ? !base.carried : base.carried && model_.carried->rows == base.carried->rows;
    return energy_is_finite_ && same_rows && model_.singular_mass == base.singular_mass &&
           model_.kinetic.has_value() == base.kinetic.has_value() && plan_->models->has_equations_of_base(model_);
}

bool LaneTrajectory::rows_contradict() {
    const bool last = accepted_ == plan_->steps + plan_->method.lag();
    if (!looks_at_rows() || (accepted_ % steps_between_looks != 0 && !last)) {
        return false;
    }
    put_memory(saved_, *stepper_);
    return row_watch_.contradiction(stepper_->node()).has_value();
}

bool LaneTrajectory::goes_on_with_its_rows(LaneMemory& memory) {
    if (!row_watch_.needed()) {
        return false;
    }
    put_memory(memory, *stepper_);
    const auto report = stepper_->advance();
    if (report.converged != rows_sank || !(report.pivot > rank_tolerance) ||
        row_watch_.better_rows(stepper_->node(), stepper_->trial_node())) {
        return false;
    }
    set_carried_pivot(*stepper_, report.pivot);
    memory = memory_of(*stepper_);
    return true;
}

bool LaneTrajectory::mass_is_definite(const LaneMemory& memory) {
    put_memory(memory, *stepper_);
    const auto node = stepper_->node();
    return !mass_watch_.fault(node.t, node.q);
}

bool LaneTrajectory::arrive(LaneMemory memory, std::int64_t accepted, double floors) {
    put_memory(memory, *stepper_);
    const std::int64_t n = accepted - plan_->method.lag();
    if (n >= 1) {
        const auto sample = reader_.read(stepper_->node(), n, true);
        if (!std::isfinite(sample.energy)) {
            return false;
        }
        if (plan_->options.monitor > 0 && n % plan_->options.monitor == 0) {
            monitor_.follow(sample);
            monitor_.update(sample, reader_.invariants());
        }
        keeper_.see(sample);
    }
    monitor_.note_floors(floors);
    saved_ = std::move(memory);
    accepted_ = accepted;
    return true;
}

void LaneTrajectory::complete() {
    Run run;
    run.steps = plan_->steps;
    run.monitor = plan_->options.monitor;
    run.energy.conserved = system_->properties().conservative;
    run.energy.changed_by = energy_changed_by(model_, run.energy.conserved);
    const auto sample = reader_.read(stepper_->node(), plan_->steps, true);
    run.t = sample.t;
    run.q.assign(sample.q.begin(), sample.q.end());
    run.p.assign(sample.p.begin(), sample.p.end());
    monitor_.update(sample, reader_.invariants());
    monitor_.summarize(run, sample, reader_.invariants(), model_);
    record_->outcome = outcome_of(run);
}

bool LaneTrajectory::continue_alone() {
    put_memory(saved_, *stepper_);
    CheckpointWriter writer;  // what a single run would have saved here
    if (row_watch_.needed()) {
        std::vector<double> rows(model_.carried->rows.begin(), model_.carried->rows.end());
        writer.array("carried_rows", rows);
        std::int64_t never = -1;
        writer.integer("rows_changed_at", never);
    }
    writer.integer("accepted", accepted_);
    monitor_.visit(writer);
    stepper_->visit(writer);
    Integration integration(model_, plan_->method, plan_->options);
    integration.restore(writer.bytes());
    return finish_alone(*plan_, integration, keeper_, *record_);
}

bool run_alone(const EnsemblePlan& plan, std::size_t number, TrajectoryRecord& record) {
    NodeKeeper keeper(plan, record);
    Integration integration(plan.models->of(number), plan.method, plan.options);
    return finish_alone(plan, integration, keeper, record);
}

void note_bad_start(const EnsemblePlan& plan, const std::string& message, TrajectoryRecord& record) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    auto& outcome = record.outcome;
    outcome = {};
    outcome.status = RunStatus::failed;
    outcome.failure = RunFailure{0, plan.options.start_time, "start", message};
    outcome.t = plan.options.start_time;
    outcome.q.assign(plan.models->base().dimension, none);
    outcome.p = outcome.q;
    outcome.energy_initial = outcome.energy_error = outcome.energy_error_max = none;
    outcome.constraint_max = outcome.hidden_max = outcome.floors_max = outcome.verdict = none;
    record.samples = record.frames = {};
}

}  // namespace libration
