// Flags, clocks and journals.
#include <libration/io/execute.hpp>

namespace libration {

Run execute(Integration& integration, const RunRequest&, std::atomic<bool>& stop,
            std::chrono::steady_clock::time_point started) {
    integration.stop_on(stop);
    const double setup = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    auto run = integration.run();
    run.setup_seconds = setup + run.backend.seconds;
    return run;
}

EnsembleResult execute(const EnsembleSettings& settings, const EnsembleRequest& request, std::atomic<bool>& stop,
                       const EnsembleAttachments& attachments) {
    // Doubts were accepted when a resumed ensemble began.
    const auto chosen = method(settings.method, request.force || request.resume ? Doubts::accept : Doubts::refuse);
    EnsembleHooks hooks;
    hooks.sink = attachments.journal != nullptr ? static_cast<EnsembleSink*>(attachments.journal) : attachments.sink;
    hooks.restored = attachments.journal != nullptr ? attachments.journal->restored() : std::vector<BatchRecord>{};
    hooks.stop = &stop;
    hooks.progress = attachments.progress;
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
