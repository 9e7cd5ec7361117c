// Requests that leave method, step size or duration to the program, for all interfaces.
#pragma once

#include <libration/choose/choose.hpp>
#include <libration/model/model.hpp>
#include <libration/request/run_request.hpp>

namespace libration {

// How a choice is watched.
struct ChoiceWatch {
    const StopSignal* stop = nullptr;
    std::function<void(const std::string&)> progress = {};
    double start_time = 0;
};

// Whether something that a run needs is to be chosen: an accuracy is asked for, the method is `auto`, or there is no
// step size or no length, neither in the request nor in [run] of the model. InputError for a request that contradicts
// itself.
bool leaves_choice(const Model& model, const RunRequest& request);

// Chooses it, and writes it into the request, which is complete then; nothing where nothing is left.
std::optional<ChosenSettings> choose_for(const Model& model, RunRequest& request, const ChoiceWatch& watch = {});

// As the report of a run shows it.
ChosenSettings settings_of(const Choice& choice);
// "method m, step h, duration T: reason"
std::string line_of(const ChosenSettings& chosen);

}  // namespace libration
