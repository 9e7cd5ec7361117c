// Choices of method and step size that a command makes before it does its own work.
#pragma once

#include "choose/chosen_settings.hpp"
#include <libration/choose/choose.hpp>

#include <functional>

namespace libration::app {

using ChoiceProgress = std::function<void(const std::string&)>;

// Shows what is being tried, unless quiet. False: Ctrl-C ended the choice, which is said.
bool attended_by_line(bool quiet, const std::function<void(const ChoiceProgress&)>& work);

// What was chosen, on standard error, before anything else is said.
void print_chosen(const std::optional<ChosenSettings>& chosen, bool quiet);

// `libration run` with what was chosen.
int run_chosen(RunRequest request, const Choice& choice);

}  // namespace libration::app
