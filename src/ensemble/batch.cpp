// Trajectories in lanes: together as long as every step is good, alone from where one is not.
#include "trajectory.hpp"

#include <libration/text/error.hpp>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Between two checks of the stop request.
constexpr std::int64_t most_steps_at_once = 4096;

class LaneGroup {
  public:
    LaneGroup(const EnsemblePlan& plan, std::vector<LaneTrajectory*> live)
        : plan_(&plan), live_(std::move(live)), floors_(live_.size()) {
        for (const auto* trajectory : live_) {
            now_.push_back(trajectory->memory());
        }
    }

    // False if stopped from outside. Those that continue alone are left in `alone`.
    bool run(std::vector<LaneTrajectory*>& alone) {
        const std::int64_t last = plan_->steps + plan_->method.lag();
        fill_lanes();
        while (accepted_ < last && !live_.empty()) {
            if (plan_->stopped()) {
                return false;
            }
            const auto stop = next_stop(last);
            const bool watched = live_.front()->watches_mass();
            auto steps = stepper_->run(std::min(stop - accepted_, watched ? 1 : most_steps_at_once));
            accepted_ += steps.made;
            if (steps.refused.empty() && !watched && accepted_ < stop) {
                continue;
            }
            look_at_lanes();
            auto& leaving = steps.refused;
            if (!leaving.empty()) {
                look_at_refused(leaving);
            } else {
                for (std::size_t k = 0; k < live_.size(); ++k) {
                    leaving.push_back(
                        (watched && !live_[k]->mass_is_definite(now_[k])) ||
                        (accepted_ == stop && !live_[k]->arrive(now_[k], accepted_, std::exchange(floors_[k], 0.0))) ||
                        live_[k]->rows_contradict());
                }
            }
            if (std::ranges::find(leaving, true) != leaving.end()) {
                part(alone, leaving);
            }
        }
        for (auto* trajectory : live_) {
            trajectory->complete();
        }
        return true;
    }

  private:
    // The next number of accepted steps at which a node is needed.
    [[nodiscard]] std::int64_t next_stop(std::int64_t last) const {
        const int lag = plan_->method.lag();
        std::int64_t stop = last;
        for (const auto every : {plan_->sample_every, plan_->frame_every}) {
            if (every > 0) {
                const std::int64_t n = std::max<std::int64_t>(accepted_ - lag, 0);
                stop = std::min(stop, (n / every + 1) * every + lag);
            }
        }
        if (live_.front()->looks_at_rows()) {
            stop = std::min(stop, (accepted_ / steps_between_looks + 1) * steps_between_looks);
        }
        return stop;
    }

    // Lane k holds live trajectory k; lanes that are free hold copies of the first one.
    void fill_lanes() {
        const std::size_t lanes = plan_->backend->lanes();
        std::vector<std::size_t> numbers;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            numbers.push_back(live_[lane < live_.size() ? lane : 0]->number());
        }
        stepper_ = plan_->backend->make(plan_->models->lane_model(), plan_->models->in_lanes(numbers));
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            stepper_->load(lane, now_[lane < live_.size() ? lane : 0]);
        }
    }

    void look_at_lanes() {
        for (std::size_t k = 0; k < live_.size(); ++k) {
            stepper_->store(k, now_[k]);
            const double worst = stepper_->take_worst(k);
            floors_[k] = std::isnan(worst) || worst > floors_[k] ? worst : floors_[k];
        }
    }

    // Those that may go on with the rows that they carry stay.
    void look_at_refused(std::vector<bool>& leaving) {
        bool any = false;
        for (std::size_t k = 0; k < live_.size(); ++k) {
            any = any || leaving[k];
            if (leaving[k] && live_[k]->goes_on_with_its_rows(now_[k])) {
                leaving[k] = false;
            }
        }
        if (any && std::ranges::find(leaving, true) == leaving.end()) {
            fill_lanes();
        }
    }

    // Takes those that leave out of their lanes; the others continue in new ones, unaffected.
    void part(std::vector<LaneTrajectory*>& alone, const std::vector<bool>& leaving) {
        std::vector<LaneTrajectory*> staying;
        std::vector<LaneMemory> memories;
        std::vector<double> floors;
        for (std::size_t k = 0; k < live_.size(); ++k) {
            if (leaving[k]) {
                alone.push_back(live_[k]);
            } else {
                staying.push_back(live_[k]);
                memories.push_back(std::move(now_[k]));
                floors.push_back(floors_[k]);
            }
        }
        live_ = std::move(staying);
        now_ = std::move(memories);
        floors_ = std::move(floors);
        if (!live_.empty()) {
            fill_lanes();
        }
    }

    const EnsemblePlan* plan_;
    std::vector<LaneTrajectory*> live_;
    std::vector<LaneMemory> now_;  // one per live trajectory: its memory when the lanes were last inspected
    std::vector<double> floors_;   // likewise the largest residual since the last arrival
    std::unique_ptr<LaneStepper> stepper_;
    std::int64_t accepted_ = 0;
};

bool run_in_lanes(const EnsemblePlan& plan, std::size_t first, std::span<TrajectoryRecord> records) {
    std::vector<std::unique_ptr<LaneTrajectory>> all;
    std::vector<LaneTrajectory*> live, alone;
    std::shared_ptr<System<double>> shared;
    for (std::size_t k = 0; k < records.size(); ++k) {
        try {
            all.push_back(std::make_unique<LaneTrajectory>(plan, first + k, records[k], shared));
        } catch (const InputError& error) {
            note_bad_start(plan, error.what(), records[k]);
            continue;
        }
        (all.back()->fits_lanes() ? live : alone).push_back(all.back().get());
    }
    if (!live.empty() && !LaneGroup(plan, std::move(live)).run(alone)) {
        return false;
    }
    return std::ranges::all_of(alone, [](LaneTrajectory* trajectory) { return trajectory->continue_alone(); });
}

bool run_one_after_the_other(const EnsemblePlan& plan, std::size_t first, std::span<TrajectoryRecord> records) {
    for (std::size_t k = 0; k < records.size(); ++k) {
        try {
            if (!run_alone(plan, first + k, records[k])) {
                return false;
            }
        } catch (const InputError& error) {
            note_bad_start(plan, error.what(), records[k]);
        }
    }
    return true;
}

}  // namespace

bool run_batch(const EnsemblePlan& plan, std::size_t first, std::span<TrajectoryRecord> records) {
    if (plan.backend == nullptr) {
        return run_one_after_the_other(plan, first, records);
    }
    const std::size_t lanes = plan.backend->lanes();
    for (std::size_t done = 0; done < records.size(); done += lanes) {
        const auto part = records.subspan(done, std::min(lanes, records.size() - done));
        if (plan.stopped() || !run_in_lanes(plan, first + done, part)) {
            return false;
        }
    }
    return true;
}

}  // namespace libration
