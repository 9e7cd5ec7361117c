// The loop over nodes.
#include "loop.hpp"
#include "methods/good_step.hpp"
#include "methods/row_guard.hpp"

#include "checked_start.hpp"
#include "expression/conditions.hpp"
#include "force_checks.hpp"
#include "manifold/rank.hpp"
#include "method_warnings.hpp"
#include "model_words.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Looks at the clock seldom enough to cost nothing and often enough to be on time, whatever a step costs.
class Pacer {
  public:
    bool due() {
        if (++count_ < stride_) {
            return false;
        }
        count_ = 0;
        const auto now = Clock::now();
        const double passed = std::chrono::duration<double>(now - last_).count();
        last_ = now;
        stride_ = passed < 0.01 ? stride_ * 2 : (passed > 0.1 && stride_ > 1 ? stride_ / 2 : stride_);
        return true;
    }

  private:
    std::int64_t count_ = 0, stride_ = 1;
    Clock::time_point last_ = Clock::now();
};

}  // namespace

Integration::Loop::Loop(const Model& model, const Method& method, const IntegrationOptions& options)
    : started_(Clock::now()), prepared_(prepared(model, options.start_time)), model_(std::move(prepared_.model)),
      method_(method), options_(options), system_(std::move(prepared_.system)),
      external_(dynamic_cast<ExternalSystem*>(system_.get())), manifold_(*system_), mass_watch_(model_, *system_),
      row_watch_(model_, *system_) {
    total_ = count_steps(options, &warnings_);
    if (options.every < 1) {
        throw InputError({.argument = "every",
                          .value = std::to_string(options.every),
                          .problem = "it must be at least 1 (record every K-th step)"});
    }
    if (options.monitor < 0) {
        throw InputError({.argument = "monitor",
                          .value = std::to_string(options.monitor),
                          .problem = "it must be at least 0 (0: only at start and end)"});
    }
    if (const auto reason = unmet_needs(method, system_->properties(), system_->constraints()); !reason.empty()) {
        throw InputError(reason);
    }
    reader_ = std::make_unique<NodeReader>(model_, *system_, manifold_, options.start_time);
    monitor_ = std::make_unique<Monitor>(model_, reader_->invariants().size(), options_.monitor);
    make_stepper();
    if (!options.stop_if.empty()) {
        const auto condition = model_.formula(options.stop_if, "the stop condition `stop_if`");
        if (!is_condition(condition)) {
            throw InputError({.argument = "stop_if",
                              .value = options.stop_if,
                              .problem = fmt::format("'{}' is a number, not a condition", options.stop_if),
                              .remedy = fmt::format("write a condition such as {} < 0", model_.coordinate_name(0))});
        }
        stop_condition_.emplace(model_, condition, "the stop condition");
    }
    if (!prepared_.fault.empty()) {
        throw InputError(prepared_.fault);
    }
    auto start = checked_start(model_, *system_, manifold_, options, &start_change_);
    warnings_.insert(warnings_.end(), prepared_.warnings.begin(), prepared_.warnings.end());
    const RunTimes times{options.start_time, end_time()};
    for (auto& warning : method_warnings(method_, *system_, start, options_)) {
        warnings_.push_back(std::move(warning));
    }
    doubts_ = force_warnings(model_, *system_, start, times);
    std::ranges::move(stiffness_warnings(model_, *system_, start, options.step), std::back_inserter(doubts_));
    warnings_.insert(warnings_.end(), doubts_.begin(), doubts_.end());
    std::vector<double> q_low(start.q.size());
    monitor_->note_floors(manifold_.refine_position(options.start_time, start.q, q_low, start.p));
    stepper_->start({options.start_time, start.q, q_low, start.p}, options.step);
    if (options.estimate_error) {
        first_ = {start.q, q_low, start.p, model_.carried ? model_.carried->rows : std::vector<std::size_t>()};
    }
    if (options.monitor > 0) {
        balance_ = EnergyBalance::make(model_, *system_, manifold_, !options.adaptive);
        if (balance_) {
            monitor_->expect_balance();
        }
    }
    if (row_watch_.needed()) {
        set_carried_pivot(*stepper_, row_watch_.pivot(stepper_->node()));
    }
    // With N adaptive steps, the final time is not known yet.
    const double horizon = options.adaptive && !options.duration
                               ? std::copysign(std::numeric_limits<double>::infinity(), options.step)
                               : times.last;
    between_ = BetweenNodes::make(model_, method_, options_, horizon, warnings_);
    if (between_) {
        between_->start(stepper_->node(), *reader_);
    }
}

void Integration::Loop::restore(std::span<const std::byte> memory) {
    CheckpointReader reader(memory);
    visit_all(reader);
    restored_ = true;
    if (between_) {
        between_->restore(stepper_->node());
    }
}

void Integration::Loop::visit_all(MemoryVisitor<double>& visitor) {
    visit_rows(visitor);
    visitor.integer("accepted", accepted_);
    monitor_->visit(visitor);
    if (balance_) {
        if (visitor.has("quadrature_t")) {
            balance_->visit(visitor);
            monitor_->visit_balance(visitor);
        } else {
            balance_.reset();  // an earlier version did not begin it
            monitor_->note_last_balance(std::numeric_limits<double>::quiet_NaN());
        }
    }
    stepper_->visit(visitor);
    if (between_) {
        between_->visit(visitor);
    }
}

void Integration::Loop::save(const Run& so_far) {
    if (sink_ != nullptr) {
        writer_.clear();
        visit_all(writer_);
        sink_->save(writer_.bytes(), so_far);
        last_save_ = Clock::now();
    }
}

void Integration::Loop::save_now() {
    if (sink_ != nullptr) {
        save(summary(reader_->read(stepper_->node(), ready(), true), RunStatus::stopped));
    }
}

std::int64_t Integration::Loop::ready() const { return std::max<std::int64_t>(0, accepted_ - method_.lag()); }

void Integration::Loop::show(const Sample& sample) {
    for (auto* observer : observers_) {
        observer->see(sample);
    }
}

void Integration::Loop::begin() {
    const auto sample = reader_->read(stepper_->node(), 0, true);
    monitor_->begin(sample, reader_->invariants());
    pass_balance(sample.energy);
    if (options_.at.empty()) {
        show(sample);
    }
    if (between_) {
        between_->begin(stepper_->node(), {*reader_, observers_});
    }
}

bool Integration::Loop::is_seen(std::int64_t n) const {
    return !observers_.empty() && options_.at.empty() && is_multiple(n, options_.every);
}

// The sample of the node that the computed step leads to, if an observer needs it.
std::optional<Sample> Integration::Loop::look_ahead() {
    const std::int64_t n = accepted_ + 1 - method_.lag();
    if (n < 1 || (!is_seen(n) && !is_monitored(n))) {
        return std::nullopt;
    }
    return reader_->read(stepper_->trial_node(), n, complete_ && is_seen(n));
}

void Integration::Loop::pass_balance(double energy) {
    if (balance_) {
        for (const auto& known : balance_->pass(stepper_->node(), energy - monitor_->initial_energy())) {
            monitor_->note_balance(known.t, known.error);
        }
    }
}

bool Integration::Loop::stop_condition_holds() {
    return stop_condition_ && reader_->evaluate(*stop_condition_, stepper_->node()) != 0;
}

// A step is accepted only if it is good and leads to where the energy is defined, so that the state stays the last good
// one.
std::optional<RunFailure> Integration::Loop::one_step() {
    if (monitor_->compares_nodes() && !monitor_->knows_node_before()) {
        monitor_->remember(reader_->read(stepper_->node(), ready(), false));
    }
    const auto report = stepper_->advance();
    if (!good_step(report)) {
        return make_again(report) ? std::nullopt : std::optional(describe(report));
    }
    if (mass_watch_.needed()) {
        const auto trial = stepper_->trial_node();
        if (const auto fault = mass_watch_.fault(trial.t, trial.q)) {
            return mass_failure(*fault);
        }
    }
    const auto sample = look_ahead();
    if (sample && !std::isfinite(sample->energy)) {
        return undefined_energy(sample->step);
    }
    stepper_->accept();
    if (external_ != nullptr) {
        external_->forget();  // rejected attempts are not the cause of a later failure
    }
    monitor_->note_floors(report.residual);
    ++accepted_;
    ++executed_;
    const bool monitored = sample && is_monitored(sample->step);
    if (monitored) {
        monitor_->follow(*sample);
        monitor_->update(*sample, reader_->invariants());
    }
    if (accepted_ > method_.lag()) {
        pass_balance(monitored ? sample->energy : std::numeric_limits<double>::quiet_NaN());
    }
    if (between_ && accepted_ > method_.lag()) {
        if (auto fault = between_->pass(stepper_->node(), ready(), {*reader_, observers_})) {
            return RunFailure{ready(), stepper_->node().t, "event", std::move(*fault)};
        }
    }
    if (sample && is_seen(sample->step)) {
        // What happened before the node was shown first, in the space of this sample.
        show(between_ ? reader_->read(stepper_->node(), sample->step, complete_) : *sample);
    }
    return std::nullopt;
}

// Progress and checkpoints, at most a few times per second.
void Integration::Loop::keep_time() {
    if (progress_ && seconds_since(last_report_) > 0.1) {
        last_report_ = Clock::now();
        progress_->report(progress_at(ready(), seconds_since(loop_started_)));
    }
    if (sink_ != nullptr && seconds_since(last_save_) > checkpoint_seconds_) {
        save_now();
    }
}

Run Integration::Loop::run() {
    choose_backend();
    setup_seconds_ = seconds_since(started_);
    loop_started_ = Clock::now();
    const int lag = method_.lag();
    if (!restored_) {
        begin();
        save_now();
    }
    if (restored_ && ready() > 0 && stop_condition_holds()) {
        return finish(RunStatus::stopped, std::nullopt);  // where it stopped before
    }
    if (restored_ && between_ && between_->ended()) {
        return finish(RunStatus::stopped, std::nullopt);
    }
    Pacer pacer;
    while (has_more_steps()) {
        if (row_watch_.needed() && is_multiple(accepted_, steps_between_looks)) {
            if (auto failure = contradiction()) {
                return finish(RunStatus::failed, std::move(failure));
            }
        }
        if (stop_ != nullptr && stop_->requested()) {
            return finish(RunStatus::stopped, std::nullopt);
        }
        bool full = false;
        if (leap(full)) {
            if (full || pacer.due()) {
                keep_time();
            }
            continue;
        }
        if (auto failure = one_step()) {
            return finish(RunStatus::failed, std::move(failure));
        }
        if (accepted_ > lag && ((between_ && between_->ended()) || stop_condition_holds())) {
            return finish(RunStatus::stopped, std::nullopt);
        }
        if (checkpoint_seconds_ == 0) {
            save_now();
        }
        if (pacer.due()) {
            keep_time();
        }
    }
    return finish(RunStatus::completed, std::nullopt);
}

Run Integration::Loop::summary(const Sample& sample, RunStatus status) {
    Monitor monitor = *monitor_;
    monitor.update(sample, reader_->invariants());
    if (balance_) {
        for (const auto& known : balance_->rest(sample.energy - monitor.initial_energy())) {
            monitor.note_last_balance(known.error);
        }
    }

    Run run;
    run.model = model_.name;
    run.method = method_.name();
    run.order = method_.claims().order;
    run.step = options_.step;
    run.steps = sample.step;
    run.steps_made = executed_;
    run.t = sample.t;
    run.status = status;
    const auto copy = [](std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); };
    run.q = copy(sample.q);
    run.p = copy(sample.p);
    run.v = copy(sample.v);
    run.lambda = copy(sample.lambda);
    run.angles = copy(sample.observables.first(model_.windings.size()));
    run.monitor = options_.monitor;
    run.energy.conserved = system_->properties().conservative;
    run.energy.changed_by = energy_changed_by(model_, run.energy.conserved);
    run.constraint.hidden_name = hidden_residual_name(model_);
    monitor.summarize(run, sample, reader_->invariants(), model_);
    using Count = Evaluations<double>;
    const auto& count = stepper_->evaluations().count;
    const auto whole = [&](Count::Kind kind) { return static_cast<std::int64_t>(count[kind]); };
    run.evaluations = {whole(Count::force), whole(Count::constraint), whole(Count::jacobian),
                       whole(Count::newton_iterations), whole(Count::factorizations)};
    run.chosen = options_.chosen;
    run.start = start_change_;
    run.warnings = warnings_;
    run.backend = backend_;
    summarize_lengths(run);
    if (between_) {
        between_->summarize(run);
    }
    run.seconds = seconds_since(loop_started_);
    run.setup_seconds = setup_seconds_;
    judge_run(run);
    return run;
}

// The last node is always seen, but not by the saved memory: a longer run that resumes from it must not know that it
// ended here once.
Run Integration::Loop::finish(RunStatus status, std::optional<RunFailure> failure) {
    const std::int64_t n = ready();
    const auto sample = reader_->read(stepper_->node(), n, true);
    if (status != RunStatus::failed && !std::isfinite(sample.energy)) {  // nothing was monitored along the run
        status = RunStatus::failed;
        failure = undefined_energy(n);
    }
    if (auto missed = status != RunStatus::failed && row_watch_.needed() ? contradiction() : std::nullopt) {
        status = RunStatus::failed;
        failure = std::move(missed);
    }
    auto run = summary(sample, status);
    run.failure = std::move(failure);
    run.error_estimate = estimate_error(run);
    judge_run(run);
    // An event that was lost between the last two nodes must be lost again in a resumed run, not skipped.
    if (!run.failure || run.failure->kind != "event") {
        save(run);
    }
    if (n > 0 && options_.at.empty() && n % options_.every != 0) {
        show(sample);
    }
    run.seconds = seconds_since(loop_started_);
    if (progress_) {
        progress_->report(progress_at(n, run.seconds));
    }
    return run;
}

}  // namespace libration
