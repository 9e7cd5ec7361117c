// The loop over nodes.
#include <libration/integrate/integrate.hpp>

#include <libration/integrate/checkpoint.hpp>
#include <libration/integrate/monitor.hpp>
#include <libration/integrate/start.hpp>
#include <libration/manifold/rank.hpp>
#include <libration/system/term_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace libration {

namespace {

using Clock = std::chrono::steady_clock;

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

std::int64_t count_steps(const IntegrationOptions& options, std::vector<std::string>* warnings) {
    if (!std::isfinite(options.step) || options.step == 0) {
        throw InputError(fmt::format("the step is {}; it must be a finite number other than 0", options.step));
    }
    if (options.steps && options.duration) {
        throw InputError("give either a duration or a number of steps, not both");
    }
    if (options.steps) {
        if (*options.steps < 0) {
            throw InputError(fmt::format("the number of steps is {}; it must not be negative", *options.steps));
        }
        return *options.steps;
    }
    if (!options.duration || !std::isfinite(*options.duration)) {
        throw InputError("give a finite duration or a number of steps");
    }
    const double ratio = *options.duration / options.step;
    if (ratio < 0) {
        throw InputError(
            fmt::format("the duration {} and the step {} must have the same sign", *options.duration, options.step));
    }
    if (ratio > 9e15) {
        throw InputError(
            fmt::format("the duration {} has more than 9e15 steps of {}", *options.duration, options.step));
    }
    const auto steps = static_cast<std::int64_t>(std::llround(ratio));
    const double reached = static_cast<double>(steps) * options.step;
    if (warnings != nullptr && std::abs(reached - *options.duration) > 1e-9 * std::abs(*options.duration)) {
        warnings->push_back(fmt::format("the duration {} is not a whole number of steps of {}; the run ends at {}",
                                        *options.duration, options.step, options.start_time + reached));
    }
    return steps;
}

class Integration::Loop {
  public:
    Loop(const Model& model, const Method& method, const IntegrationOptions& options)
        : started_(Clock::now()), model_(model), method_(method), options_(options), system_(model) {
        total_ = count_steps(options, &warnings_);
        if (options.every < 1 || options.monitor < 0) {
            throw InputError(fmt::format("every = {} must be at least 1, and monitor = {} at least 0", options.every, options.monitor));
        }
        if (const auto reason = unmet_needs(method, system_.properties(), system_.constraints()); !reason.empty()) {
            throw InputError(reason);
        }
        reader_ = std::make_unique<NodeReader>(model_, system_);
        monitor_ = std::make_unique<Monitor>(reader_->invariants().size());
        stepper_ = method.make<double>(system_);
        auto start = start_state<double>(model_, system_);
        if (options.project) {
            project(start);
        }
        if (const auto fault = start_fault(model_, system_, start.q, start.p); !fault.empty()) {
            throw InputError(fault);
        }
        stepper_->start(options.start_time, start.q, start.p, options.step);
    }

    Run run();

    void restore(std::span<const std::byte> memory) {
        CheckpointReader reader(memory);
        visit_all(reader);
        restored_ = true;
    }

    std::vector<Observer*> observers_;
    std::function<void(const Progress&)> progress_;
    const std::atomic<bool>* stop_ = nullptr;
    CheckpointSink* sink_ = nullptr;
    double checkpoint_seconds_ = 10;
    std::int64_t total_ = 0;
    std::int64_t executed_ = 0;

  private:
    void project(StartState<double>& start) {
        Manifold<double> manifold(system_);
        if (manifold.project_position(options_.start_time, start.q) != 1) {
            throw InputError("the initial positions could not be moved onto the constraints; give better ones");
        }
        manifold.project_momentum(options_.start_time, start.q, start.p);
    }

    void visit_all(MemoryVisitor<double>& visitor) {
        visitor.integer("accepted", accepted_);
        monitor_->visit(visitor);
        stepper_->visit(visitor);
    }

    void save() {
        if (sink_ != nullptr) {
            writer_.clear();
            visit_all(writer_);
            sink_->save(writer_.bytes());
            last_save_ = Clock::now();
        }
    }

    // Node number of the newest ready node.
    [[nodiscard]] std::int64_t ready() const { return std::max<std::int64_t>(0, accepted_ - method_.record().lag); }
    [[nodiscard]] bool is_monitored(std::int64_t n) const { return options_.monitor > 0 && n % options_.monitor == 0; }

    void show(const Sample& sample) {
        for (auto* observer : observers_) {
            observer->see(sample);
        }
    }

    void begin() {
        const auto sample = reader_->read(stepper_->node(), 0, true);
        monitor_->begin(sample, reader_->invariants());
        show(sample);
    }

    // False if the node lies where the formulas are not defined.
    bool regular_node(std::int64_t n) {
        const bool seen = !observers_.empty() && n % options_.every == 0;
        if (!seen && !is_monitored(n)) {
            return true;
        }
        const auto sample = reader_->read(stepper_->node(), n, seen);
        if (is_monitored(n)) {
            monitor_->update(sample, reader_->invariants());
        }
        if (seen) {
            show(sample);
        }
        return std::isfinite(sample.energy);
    }

    std::optional<RunFailure> one_step();
    RunFailure describe(const StepReport<double>& report);
    bool force_is_finite();
    RunFailure undefined_energy();
    Run finish(RunStatus status, std::optional<RunFailure> failure);

    Clock::time_point started_;
    Model model_;
    Method method_;
    IntegrationOptions options_;
    TermSystem<double> system_;
    std::unique_ptr<NodeReader> reader_;
    std::unique_ptr<Monitor> monitor_;
    std::unique_ptr<Stepper<double>> stepper_;
    std::vector<std::string> warnings_;
    CheckpointWriter writer_;
    Clock::time_point last_save_ = Clock::now();
    std::int64_t accepted_ = 0;
    bool restored_ = false;
    double setup_seconds_ = 0;
    Clock::time_point loop_started_;
};

bool Integration::Loop::force_is_finite() {
    const auto node = stepper_->node();
    std::vector<double> force(system_.dimension());
    system_.force_gradient(node.t, node.q, node.p, force);
    return std::ranges::all_of(force, [](double f) { return std::isfinite(f); });
}

RunFailure Integration::Loop::describe(const StepReport<double>& report) {
    RunFailure failure;
    failure.step = accepted_ + 1;
    failure.t = options_.start_time + static_cast<double>(failure.step) * options_.step;
    const auto position = stepper_->pivot_position();
    const bool finite = std::ranges::all_of(position, [](double x) { return std::isfinite(x); });
    const bool lost = !(report.pivot > rank_tolerance);
    const auto sets = finite && lost ? rank_fault(model_, system_, failure.t, position) : std::string();
    if (!sets.empty()) {
        failure.kind = "rank";
        failure.message = "the constraints became dependent:\n" + sets;
    } else if (report.converged != 1 && force_is_finite()) {
        failure.kind = "newton";
        failure.message = fmt::format("the constraints could not be satisfied ({}); try a smaller step, and if that does not"
                                      " help, look for a place where their gradients vanish or become parallel",
                                      std::isfinite(report.residual)
                                          ? fmt::format("the iteration stays at {:.3g} times round-off", report.residual)
                                          : "the iteration diverged");
    } else {
        failure.kind = "not-finite";
        failure.message =
            "the state stopped being finite: the step is too large, or the motion runs into a singularity; try a"
            " smaller step";
    }
    return failure;
}

RunFailure Integration::Loop::undefined_energy() {
    return {ready(), stepper_->node().t, "not-finite",
            "the energy is not a finite number any more: the motion left the domain of the formulas; try a smaller step"};
}

std::optional<RunFailure> Integration::Loop::one_step() {
    const auto report = stepper_->advance();
    if (report.converged != 1 || !(report.pivot > rank_tolerance) || !std::isfinite(report.size)) {
        return describe(report);
    }
    stepper_->accept();
    ++accepted_;
    ++executed_;
    return std::nullopt;
}

Run Integration::Loop::run() {
    setup_seconds_ = seconds_since(started_);
    loop_started_ = Clock::now();
    const int lag = method_.record().lag;
    if (!restored_) {
        begin();
        save();
    }
    Pacer pacer;
    auto last_report = loop_started_;
    while (accepted_ < total_ + lag) {
        if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
            return finish(RunStatus::stopped, std::nullopt);
        }
        if (auto failure = one_step()) {
            return finish(RunStatus::failed, std::move(failure));
        }
        if (accepted_ > lag && !regular_node(ready())) {
            return finish(RunStatus::failed, undefined_energy());
        }
        if (sink_ != nullptr && checkpoint_seconds_ == 0) {
            save();
        }
        if (pacer.due()) {
            if (progress_ && seconds_since(last_report) > 0.1) {
                last_report = Clock::now();
                progress_({ready(), total_, seconds_since(loop_started_)});
            }
            if (sink_ != nullptr && seconds_since(last_save_) > checkpoint_seconds_) {
                save();
            }
        }
    }
    return finish(RunStatus::completed, std::nullopt);
}

// The last node is always seen, but not by the saved memory: a longer run that resumes from it must not know that it ended
// here once.
Run Integration::Loop::finish(RunStatus status, std::optional<RunFailure> failure) {
    save();
    const std::int64_t n = ready();
    const auto sample = reader_->read(stepper_->node(), n, true);
    if (n > 0 && n % options_.every != 0) {
        show(sample);
    }
    Monitor final_monitor = *monitor_;
    final_monitor.update(sample, reader_->invariants());

    Run run;
    run.model = model_.name;
    run.method = method_.name();
    run.order = method_.claims().order;
    run.step = options_.step;
    run.steps = n;
    run.t = sample.t;
    run.status = status;
    run.failure = std::move(failure);
    const auto copy = [](std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); };
    run.q = copy(sample.q);
    run.p = copy(sample.p);
    run.v = copy(sample.v);
    run.lambda = copy(sample.lambda);
    run.energy.conserved = system_.properties().conservative;
    final_monitor.summarize(run, sample, reader_->invariants(), model_);
    using Count = Evaluations<double>;
    const auto& count = stepper_->evaluations().count;
    const auto whole = [&](Count::Kind kind) { return static_cast<std::int64_t>(count[kind]); };
    run.evaluations = {whole(Count::force), whole(Count::constraint), whole(Count::jacobian),
                       whole(Count::newton_iterations), whole(Count::factorizations)};
    run.warnings = warnings_;
    run.seconds = seconds_since(loop_started_);
    run.setup_seconds = setup_seconds_;
    if (progress_) {
        progress_({n, total_, run.seconds});
    }
    return run;
}

Integration::Integration(const Model& model, const Method& method, const IntegrationOptions& options)
    : loop_(std::make_unique<Loop>(model, method, options)) {}
Integration::~Integration() = default;

void Integration::observe(Observer& observer) { loop_->observers_.push_back(&observer); }
void Integration::report_progress(std::function<void(const Progress&)> callback) {
    loop_->progress_ = std::move(callback);
}
void Integration::stop_on(const std::atomic<bool>& flag) { loop_->stop_ = &flag; }
void Integration::checkpoint_to(CheckpointSink& sink, double seconds) {
    loop_->sink_ = &sink;
    loop_->checkpoint_seconds_ = seconds;
}
void Integration::restore(std::span<const std::byte> memory) { loop_->restore(memory); }
std::int64_t Integration::total_steps() const { return loop_->total_; }
std::int64_t Integration::steps_executed() const { return loop_->executed_; }
Run Integration::run() { return loop_->run(); }

Run integrate(const Model& model, const Method& method, const IntegrationOptions& options) {
    return Integration(model, method, options).run();
}

Run integrate(const Model& model, const Method& method, const IntegrationOptions& options, Observer& observer) {
    Integration integration(model, method, options);
    integration.observe(observer);
    return integration.run();
}

}  // namespace libration
