// Runs and ensembles as every interface executes them: to their end, or until a stop is requested.
#pragma once

#include "ensemble_settings.hpp"
#include <libration/integrate/integrate.hpp>

#include <chrono>

namespace libration {

// The flag may be set by a signal handler or another thread: the run then ends after the current step, and can be
// resumed if its states go to a file. All that happened since `started` is setup.
Run execute(Integration& integration, const RunRequest& request, StopSignal& stop,
            std::chrono::steady_clock::time_point started);

// What an interface attaches to an ensemble. With a journal, finished batches go there, and those already in it are not
// recomputed; without one they go to the sink.
struct EnsembleAttachments {
    EnsembleJournal* journal = nullptr;
    EnsembleSink* sink = nullptr;
    std::function<void(const EnsembleProgress&)> progress = {};
};
// Writes no file: EnsembleJournal::complete does. InputError where the ensemble makes no sense; the journal is
// discarded then unless it was resumed.
EnsembleResult execute(const EnsembleSettings& settings, const EnsembleRequest& request, StopSignal& stop,
                       const EnsembleAttachments& attachments);

}  // namespace libration
