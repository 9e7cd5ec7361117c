// Flags, clocks and journals.
#include "execute.hpp"
#include "request/run_fields.hpp"

#include <libration/integrate/run_settings.hpp>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace libration {

namespace {

using Clock = std::chrono::steady_clock;

// Sets the flag when the time is over, unless the work is done before: loops check one flag and no clock.
class TimeLimit {
  public:
    TimeLimit(const RunRequest& request, Clock::time_point started, StopSignal& stop) {
        if (!request.time_limit) {
            return;
        }
        const auto end = started + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(seconds_of(*request.time_limit)));
        watch_ = std::jthread([end, &stop](const std::stop_token& done) {
            std::mutex mutex;
            std::condition_variable_any sleep;
            std::unique_lock lock(mutex);
            if (!sleep.wait_until(lock, done, end, [] { return false; }) && !done.stop_requested()) {
                stop.request();
            }
        });
    }

  private:
    std::jthread watch_;
};

}  // namespace

Run execute(Integration& integration, const RunRequest& request, StopSignal& stop,
            std::chrono::steady_clock::time_point started) {
    const TimeLimit limit(request, started, stop);
    integration.stop_on(stop);
    const double setup = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    auto run = integration.run();
    run.setup_seconds = setup + run.backend.seconds;
    return run;
}

EnsembleResult execute(const EnsembleSettings& settings, const EnsembleRequest& request, StopSignal& stop,
                       const EnsembleAttachments& attachments) {
    // Doubts were accepted when a resumed ensemble began.
    const auto chosen = method(settings.method, request.force || request.resume ? Doubts::accept : Doubts::refuse);
    EnsembleHooks hooks;
    hooks.sink = attachments.journal != nullptr ? static_cast<EnsembleSink*>(attachments.journal) : attachments.sink;
    hooks.restored = attachments.journal != nullptr ? attachments.journal->restored() : std::vector<BatchRecord>{};
    hooks.stop = &stop;
    hooks.progress = attachments.progress;
    RunRequest completed = request;
    take_from_model(completed, settings.model);
    const TimeLimit limit(completed, Clock::now(), stop);
    try {
        return run_ensemble(settings.model, chosen, settings.options, ensemble_options(settings, request),
                            std::move(hooks));
    } catch (const InputError&) {
        if (attachments.journal != nullptr && !request.resume) {
            attachments.journal->discard();
        }
        throw;
    }
}

}  // namespace libration
