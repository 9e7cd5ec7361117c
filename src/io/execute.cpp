// Flags, clocks and journals.
#include "execute.hpp"
#include "integrate/time_limit.hpp"
#include "request/run_fields.hpp"

#include <libration/integrate/run_settings.hpp>

namespace libration {

namespace {

using Clock = std::chrono::steady_clock;

std::optional<double> limit_of(const RunRequest& request) {
    return request.time_limit ? std::optional(seconds_of(*request.time_limit)) : std::nullopt;
}

}  // namespace

Run execute(Integration& integration, const RunRequest& request, StopSignal& stop,
            std::chrono::steady_clock::time_point started) {
    const TimeLimit limit(limit_of(request), started, stop);
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
    const TimeLimit limit(limit_of(completed), Clock::now(), stop);
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
