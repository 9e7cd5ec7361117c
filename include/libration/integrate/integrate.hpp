// The loop: steps, monitors, observers, checkpoints, progress, stop requests. It sees nodes and memory, not the method.
//
//     auto run = integrate(model, method("rattle"), {.step = 0.01, .duration = 100});
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/methods/method.hpp>

#include <memory>

namespace [[gnu::visibility("default")]] libration {

struct Model;  // model.hpp

struct Progress {
    std::int64_t done = 0, total = 0;
    std::int64_t restored = 0;  // of those done, the steps that were not taken by this run
    double seconds = 0;
    std::optional<double> fraction = std::nullopt;  // of the time, where the number of steps is not known in advance
};

// Receives the progress of a run. Called a few times per second.
class ProgressSink {
  public:
    virtual ~ProgressSink() = default;
    virtual void report(const Progress& progress) = 0;
};

// Receives checkpoints. Called between steps; may throw FileError.
class CheckpointSink {
  public:
    virtual ~CheckpointSink() = default;
    // `so_far`: the run as if it had been stopped here.
    virtual void save(std::span<const std::byte> memory, const Run& so_far) = 0;
};

// A run with all the hooks that a program may attach to it. Construction checks the model against the method,
// the options, the rank of G and the initial values, and throws an InputError that says how to fix them.
class Integration {
  public:
    Integration(const Model& model, const Method& method, const IntegrationOptions& options);
    ~Integration();
    Integration(const Integration&) = delete;
    Integration& operator=(const Integration&) = delete;

    // What an observer needs: only states with energy and residuals, or also multipliers and observables. If no
    // observer needs those, they are not computed, and samples hold stale ones.
    enum class Look { states, everything };
    void observe(Observer& observer, Look look = Look::everything);
    void report_progress(std::shared_ptr<ProgressSink> sink);
    // A function of the progress.
    template <class Function>
        requires requires(Function& function, const Progress& progress) { function(progress); }
    void report_progress(Function function) {
        struct Calls final : ProgressSink {
            explicit Calls(Function&& f) : function(static_cast<Function&&>(f)) {}
            void report(const Progress& progress) override { function(progress); }
            Function function;
        };
        report_progress(std::shared_ptr<ProgressSink>(new Calls(static_cast<Function&&>(function))));
    }
    // The run ends after the current step once a stop is requested.
    void stop_on(const StopSignal& stop);
    // Saved every few seconds and at the end. `seconds` 0: after every step.
    void checkpoint_to(CheckpointSink& sink, double seconds = 10);
    // Continues from a saved memory: bitwise identical to an uninterrupted run.
    void restore(std::span<const std::byte> memory);

    [[nodiscard]] std::int64_t total_steps() const;
    // Steps taken by this object, not counting those restored.
    [[nodiscard]] std::int64_t steps_executed() const;
    Run run();

  private:
    class Loop;
    std::unique_ptr<Loop> loop_;
};

Run integrate(const Model& model, const Method& method, const IntegrationOptions& options);
Run integrate(const Model& model, const Method& method, const IntegrationOptions& options, Observer& observer);

// The number of steps that the options request, with a warning if the duration is not a whole number of steps. With
// adaptive steps over a duration: the maximum number.
std::int64_t count_steps(const IntegrationOptions& options, std::vector<std::string>* warnings = nullptr);

}  // namespace libration
