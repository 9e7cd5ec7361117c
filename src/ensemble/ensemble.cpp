// Threads over batches; what they find is put together in the order of the trajectories.
#include <libration/ensemble/ensemble.hpp>

#include "generated_lanes.hpp"
#include "trajectory.hpp"

#include "integrate/checked_start.hpp"
#include "integrate/method_warnings.hpp"
#include "integrate/redundancy.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>

namespace libration {

namespace {

using Clock = std::chrono::steady_clock;

// Of the base model, where it can start.
void add_warnings(const Model& model, const Method& method, const IntegrationOptions& options,
                  std::vector<std::string>& warnings) {
    try {
        const auto base = prepared(model, options.start_time);
        Manifold<double> manifold(*base.system);
        const auto start = checked_start(base.model, *base.system, manifold, options);
        warnings.insert(warnings.end(), base.warnings.begin(), base.warnings.end());
        for (auto& warning : method_warnings(method, *base.system, start, options)) {
            warnings.push_back(std::move(warning));
        }
    } catch (const InputError&) {
        // Its trajectories may well start elsewhere.
    }
}

// Fewer steps, of all trajectories together, are made before code for them is compiled.
constexpr double fewest_steps_worth_compiling = 1e5;

// Lanes, if the model can be made for them with the parameters that vary.
std::unique_ptr<LaneBackend> usable_backend(const VariedModel& models, const Method& method, std::string& why_not) {
    auto backend = lane_backend(models.lane_model(), method, &why_not);
    if (backend) {
        try {
            const std::vector<std::size_t> first(backend->lanes(), 0);
            static_cast<void>(backend->make(models.lane_model(), models.in_lanes(first)));
        } catch (const InputError& error) {
            why_not = error.what();
            backend.reset();
        }
    }
    return backend;
}

class Team {
  public:
    Team(const EnsemblePlan& plan, std::size_t count, EnsembleHooks& hooks)
        : plan_(&plan), hooks_(&hooks), records_(count), finished_(batches()) {
        for (auto& batch : hooks.restored) {
            for (std::size_t k = 0; k < batch.trajectories.size(); ++k) {
                records_[batch.batch * trajectories_a_batch + k] = std::move(batch.trajectories[k]);
            }
            finished_[batch.batch] = true;
            progress_.restored += batch.trajectories.size();
        }
        hooks.restored.clear();
        progress_.done = progress_.restored;
        progress_.total = count;
    }

    void work(unsigned threads) {
        {
            std::vector<std::jthread> others;
            for (unsigned k = 1; k < threads; ++k) {
                others.emplace_back([this] { work_alone(); });
            }
            work_alone();
        }
        if (fault_) {
            std::rethrow_exception(fault_);
        }
    }

    [[nodiscard]] bool complete() const { return progress_.done == progress_.total; }
    [[nodiscard]] std::vector<TrajectoryRecord>& records() { return records_; }
    [[nodiscard]] std::int64_t steps() const { return progress_.steps; }
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  private:
    [[nodiscard]] std::size_t batches() const {
        return (records_.size() + trajectories_a_batch - 1) / trajectories_a_batch;
    }

    void work_alone() {
        try {
            for (auto batch = next_++; batch < batches() && !given_up_.requested() && !plan_->stopped();
                 batch = next_++) {
                const std::size_t first = batch * trajectories_a_batch;
                const auto part =
                    std::span(records_).subspan(first, std::min(trajectories_a_batch, records_.size() - first));
                if (!finished_[batch] && run_batch(*plan_, first, part)) {
                    deliver(batch, part);
                }
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!fault_) {
                fault_ = std::current_exception();
            }
            given_up_.request();
        }
    }

    void deliver(std::size_t batch, std::span<TrajectoryRecord> part) {
        const std::lock_guard lock(mutex_);
        if (hooks_->sink != nullptr) {
            hooks_->sink->finished({batch, {part.begin(), part.end()}});
        }
        for (auto& record : part) {
            record.frames = {};
            progress_.steps += record.outcome.steps;
        }
        progress_.done += part.size();
        progress_.seconds = seconds();
        if (hooks_->progress) {
            hooks_->progress(progress_);
        }
    }

    const EnsemblePlan* plan_;
    EnsembleHooks* hooks_;
    std::vector<TrajectoryRecord> records_;
    std::vector<bool> finished_;  // by those that were restored
    Clock::time_point started_ = Clock::now();
    std::atomic<std::size_t> next_{0};
    StopSignal given_up_;
    std::mutex mutex_;
    EnsembleProgress progress_;
    std::exception_ptr fault_;
};

void add_statistics(const std::vector<TrajectoryRecord>& records, EnsembleResult& result) {
    const std::size_t width = result.channels.size();
    std::vector<double> values;
    for (std::size_t node = 0; node < result.times.size(); ++node) {
        for (std::size_t channel = 0; channel < width; ++channel) {
            values.clear();
            for (const auto& record : records) {
                if (node < record.samples.rows()) {
                    values.push_back(record.samples.numbers[node * width + channel]);
                }
            }
            result.by_node.push_back(statistics_of(values));
        }
    }
}

void refuse_if_none_started(const EnsembleResult& result) {
    const auto bad_start = [](const TrajectoryOutcome& outcome) {
        return outcome.failure && outcome.failure->kind == "start";
    };
    if (std::ranges::all_of(result.trajectories, bad_start)) {
        throw InputError(fmt::format("none of the {} trajectories can start; the first one: {}",
                                     result.trajectories.size(), result.trajectories.front().failure->message));
    }
}

}  // namespace

std::size_t EnsembleResult::count(RunStatus status) const {
    return static_cast<std::size_t>(std::ranges::count(trajectories, status, &TrajectoryOutcome::status));
}

VerdictShares verdict_shares(const std::vector<TrajectoryOutcome>& trajectories) {
    VerdictShares shares;
    const double one = trajectories.empty() ? 0 : 1 / static_cast<double>(trajectories.size());
    std::array<std::size_t, 4> counts{};
    for (const auto& outcome : trajectories) {
        ++counts[std::isnan(outcome.verdict) ? 3 : static_cast<std::size_t>(outcome.verdict)];
    }
    for (const auto& [share, count] : {std::pair{&shares.good, counts[0]}, std::pair{&shares.rough, counts[1]},
                                       std::pair{&shares.meaningless, counts[2]}, std::pair{&shares.none, counts[3]}}) {
        *share = static_cast<double>(count) * one;
    }
    return shares;
}

std::vector<std::int64_t> node_numbers(std::int64_t steps, std::int64_t every) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t n = 0; every > 0 && n <= steps; n += every) {
        numbers.push_back(n);
    }
    for (const std::int64_t n : {std::int64_t{0}, steps}) {
        if (numbers.empty() || numbers.back() < n) {
            numbers.push_back(n);
        }
    }
    return numbers;
}

EnsembleResult run_ensemble(const Model& model, const Method& method, const IntegrationOptions& options,
                            const EnsembleOptions& ensemble, EnsembleHooks hooks) {
    EnsembleResult result;
    check_ensemble(model, method, options, ensemble);
    const auto in_lanes = carrying(model, options.start_time);
    VariedModel models(model, ensemble.values);
    models.use_in_lanes(in_lanes);
    const auto steps = count_steps(options, &result.warnings);
    add_warnings(model, method, options, result.warnings);

    result.model = model.name;
    result.method = method.name();
    result.step = options.step;
    result.chosen = options.chosen;
    result.steps = steps;
    result.monitor = options.monitor;
    result.values = ensemble.values;
    result.threads = std::max(1U, ensemble.threads);
    for (std::size_t k = 0; k < model.dimension; ++k) {
        result.channels.push_back(model.coordinate_name(k));
    }
    result.channels.emplace_back("energy_error");
    for (const auto& observable : model.observables) {
        result.channels.push_back(observable.name);
    }
    const std::size_t count = ensemble.values.count();
    for (const auto n : node_numbers(steps, options.monitor)) {
        result.times.push_back(options.start_time + static_cast<double>(n) * options.step);
    }

    auto backend = usable_backend(models, method, result.lanes_note);
    const bool worth_compiling =
        static_cast<double>(count) * static_cast<double>(steps) >= fewest_steps_worth_compiling;
    if (!backend && ensemble.backend == Backend::generated) {
        result.warnings.push_back(
            fmt::format("no machine code is generated, and trajectories run one at a time: {}", result.lanes_note));
    }
    if (backend &&
        (ensemble.backend == Backend::generated || (ensemble.backend == Backend::automatic && worth_compiling))) {
        std::string why_not;
        if (auto generated = generated_backend(models, count, method, options, why_not)) {
            backend = std::move(generated);
        } else {
            result.warnings.push_back(fmt::format("steps are interpreted, which is slower: {}", why_not));
        }
    }
    result.backend = backend ? backend->name() : "interpreted";
    EnsemblePlan plan{.models = &models,
                      .method = method,
                      .options = options,
                      .steps = steps,
                      .sample_every = options.monitor,
                      .frame_every = ensemble.trajectories ? options.every : 0,
                      .backend = backend.get(),
                      .stop = hooks.stop};
    plan.options.backend = Backend::interpreted;  // of those that continue alone: compiling for each would take longer
    plan.options.every = std::gcd(plan.sample_every, plan.frame_every);
    if (plan.options.every == 0) {
        plan.options.every = std::max<std::int64_t>(steps, 1);
    }
    Team team(plan, count, hooks);
    team.work(result.threads);

    result.complete = team.complete();
    result.steps_made = team.steps();
    result.seconds = team.seconds();
    if (result.complete) {
        add_statistics(team.records(), result);
    }
    for (auto& record : team.records()) {
        result.trajectories.push_back(std::move(record.outcome));
    }
    if (result.complete) {
        refuse_if_none_started(result);
    }
    return result;
}

}  // namespace libration
