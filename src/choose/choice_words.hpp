// A choice in words.
#pragma once

#include "ladder.hpp"

namespace libration {

// Why a candidate was not chosen, or that it was; `least_work`: of the chosen one over the same time.
std::string verdict_of(const Ladder& ladder, bool chosen, double least_work);
// One or two sentences. `energy_goal`: the energy error that was required in the end.
std::string words_of_reason(const Choice& choice, const std::optional<double>& energy_goal);
// No reference solution, so that no error can be measured.
std::string words_of_lost_reference(const Choice& choice, const FineSolution& lost);
// Nothing meets the request: the closest, and what stands in the way. `growth`: of errors, to the whole duration;
// `one_step`: the step size was given.
std::string words_of_failure(const Choice& choice, const std::vector<Ladder>& ladders, double growth, bool one_step);

}  // namespace libration
