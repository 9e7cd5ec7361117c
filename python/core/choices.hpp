// Choices of method and step size for Python.
#pragma once

#include "choose/chosen_settings.hpp"

namespace libration::python {

// Work without the GIL in which a choice may be made; Ctrl-C ends that with a KeyboardInterrupt.
void choose_patiently(const std::function<void()>& work, StopSignal& stop);

// Chooses what the request leaves open and completes it; Ctrl-C ends that with a KeyboardInterrupt.
std::optional<ChosenSettings> complete_by_choice(const Model& model, RunRequest& request, double start_time = 0);

}  // namespace libration::python
