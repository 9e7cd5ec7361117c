// From the request for an ensemble to its settings, with defaults from [run] of the model.
#pragma once

#include "choose/chosen_settings.hpp"
#include "request/ensemble_request.hpp"
#include <libration/io/ensemble_file.hpp>

namespace libration {

// Numbers themselves, instead of or besides distributions, and where they came from, for messages.
struct GivenValues {
    VariedValues values;
    std::string source;
};

// A table of the request is read if it names one. InputError where something is missing, makes no sense, or depends on
// what is varied although all trajectories must have it in common. Method, step size and length are chosen for the
// model as it is where the request leaves them open; ChoiceInterrupted where `watch` ends that.
EnsembleSettings resolve_ensemble(Model model, const EnsembleRequest& request,
                                  std::optional<GivenValues> given = std::nullopt, const ChoiceWatch& watch = {});

// Of a resumed ensemble the file decides; only what does not change the result may be given again. InputError
// otherwise.
void check_resumed_ensemble(const EnsembleRequest& request);

// How the work is done: threads and backend.
EnsembleOptions ensemble_options(const EnsembleSettings& settings, const EnsembleRequest& request);

}  // namespace libration
