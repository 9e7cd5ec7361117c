// The loop that implements Integration.
#pragma once

#include "between_nodes.hpp"
#include "mass_watch.hpp"

#include "checkpoint.hpp"
#include "energy_balance.hpp"
#include "methods/adaptive_stepper.hpp"
#include "methods/flat_memory.hpp"
#include "methods/generated_stepper.hpp"
#include "monitor.hpp"
#include "redundancy.hpp"
#include "row_watch.hpp"
#include "start.hpp"
#include "system/external_system.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/model/model.hpp>

#include <chrono>

namespace libration {

using Clock = std::chrono::steady_clock;

class Integration::Loop {
  public:
    Loop(const Model& model, const Method& method, const IntegrationOptions& options);

    Run run();
    void restore(std::span<const std::byte> memory);

    std::vector<Observer*> observers_;
    bool complete_ = false;  // one of them needs lambda and observables
    std::shared_ptr<ProgressSink> progress_;
    const StopSignal* stop_ = nullptr;
    CheckpointSink* sink_ = nullptr;
    double checkpoint_seconds_ = 10;
    std::int64_t total_ = 0;
    std::int64_t executed_ = 0;

  private:
    void visit_all(MemoryVisitor<double>& visitor);
    void save(const Run& so_far);
    void save_now();

    // A division costs as much as a tenth of a short step.
    [[nodiscard]] static bool is_multiple(std::int64_t n, std::int64_t stride) {
        if (stride == 1 || n < stride) {
            return stride == 1 || n == 0;
        }
        constexpr std::int64_t half = 0xFFFFFFFF;
        return n <= half ? static_cast<std::uint32_t>(n) % static_cast<std::uint32_t>(stride) == 0 : n % stride == 0;
    }
    // Number of the newest ready node.
    [[nodiscard]] std::int64_t ready() const;
    [[nodiscard]] bool is_monitored(std::int64_t n) const {
        return options_.monitor > 0 && is_multiple(n, options_.monitor);
    }
    // A new node: its energy is NaN if nothing was monitored there.
    void pass_balance(double energy);
    void show(const Sample& sample);
    void begin();
    [[nodiscard]] bool is_seen(std::int64_t n) const;
    std::optional<Sample> look_ahead();
    bool stop_condition_holds();
    void keep_time();

    // With an adaptive step size (loop_adaptive.cpp); with a constant one the obvious.
    void make_stepper();
    [[nodiscard]] std::unique_ptr<Stepper<double>> ordinary_stepper();
    [[nodiscard]] std::pair<std::unique_ptr<Stepper<double>>, AdaptiveStepper<double>*> adaptive_stepper();
    [[nodiscard]] double end_time() const;
    [[nodiscard]] bool has_more_steps();
    [[nodiscard]] Progress progress_at(std::int64_t n, double seconds);
    [[nodiscard]] double step_ahead() const;
    // Where step n leads to, n being the next one or one before.
    [[nodiscard]] double time_of(std::int64_t n);
    [[nodiscard]] RunFailure length_failure();
    void summarize_lengths(Run& run) const;

    // Of redundant constraints (loop_rows.cpp).
    void visit_rows(MemoryVisitor<double>& visitor);
    // After a step that is not good: whether it is to be made again, with other rows or with less demands on these.
    bool make_again(const StepReport<double>& report);
    void carry_rows(std::vector<std::size_t> rows);
    // Rows that are not carried and do not hold at the node of now.
    std::optional<RunFailure> contradiction();

    // Of generated code (loop_backend.cpp).
    [[nodiscard]] std::int64_t steps_ahead() const;
    [[nodiscard]] double looks_ahead() const;
    [[nodiscard]] bool step_pays(double instructions) const;
    [[nodiscard]] bool kernels_pay(double work, double evaluations) const;
    void choose_backend();
    [[nodiscard]] std::optional<RecordedStep> recorded(bool monitored, std::string& why_not);
    void generate(const RecordedStep* step, double work, std::string no_step);
    void warn_of_backend();
    [[nodiscard]] std::int64_t unseen_steps() const;
    // Many steps at once, up to the next one that an observer needs; false: none. `full`: as many as are allowed at
    // once.
    bool leap(bool& full);

    std::optional<RunFailure> one_step();
    [[nodiscard]] RunFailure mass_failure(const std::string& fault);
    std::string turned_too_far();
    RunFailure describe(const StepReport<double>& report);
    std::string undefined_on_the_way();
    bool constraints_are_finite(double t, std::span<const double> q);
    [[nodiscard]] std::string words_of(std::span<const double> q) const;
    std::string nearly_dependent_sets();
    bool force_is_finite();
    [[nodiscard]] RunFailure undefined_energy(std::int64_t n);
    // What is known at a node, the last one for now.
    [[nodiscard]] Run summary(const Sample& sample, RunStatus status);
    Run finish(RunStatus status, std::optional<RunFailure> failure);
    // The error of the run's first part, by a companion (loop_verdict.cpp).
    std::optional<ErrorEstimate> estimate_error(const Run& run);
    void judge_run(Run& run);

    Clock::time_point started_;
    PreparedModel prepared_;
    Model model_;
    Method method_;
    IntegrationOptions options_;
    std::unique_ptr<System<double>> system_;
    ExternalSystem* external_;  // the system, where some of its functions cannot be traced
    Manifold<double> manifold_;
    MassWatch mass_watch_;
    RowWatch row_watch_;
    std::int64_t rows_changed_at_ = -1;
    std::unique_ptr<NodeReader> reader_;
    std::unique_ptr<Monitor> monitor_;
    std::unique_ptr<Stepper<double>> stepper_;
    AdaptiveStepper<double>* adaptive_ = nullptr;  // the stepper, where the step size is adaptive
    GeneratedStepper* generated_ = nullptr;        // the stepper, where its steps are generated code
    FlatMemory<double> watched_;                   // of the monitors, where they are part of these
    decltype(Run::backend) backend_;
    std::int64_t longest_leap_ = 64;
    std::optional<NodeFormula> stop_condition_;
    std::unique_ptr<BetweenNodes> between_;
    std::unique_ptr<EnergyBalance> balance_;  // null: the energy is conserved, or nothing is monitored
    std::optional<StartChange> start_change_;
    std::vector<std::string> warnings_;
    std::vector<std::string> doubts_;  // of these, those that call the result into question
    struct {
        std::vector<double> q, q_low, p;
        std::vector<std::size_t> rows;  // carried
    } first_;                           // the start, for a companion
    CheckpointWriter writer_;
    Clock::time_point last_save_ = Clock::now(), last_report_ = Clock::now(), loop_started_;
    std::int64_t accepted_ = 0;
    bool restored_ = false;
    double setup_seconds_ = 0;
};

}  // namespace libration
