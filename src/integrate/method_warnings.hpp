// What a user should know of a method before a run with it.
#pragma once

#include "start.hpp"
#include <libration/integrate/run.hpp>
#include <libration/methods/method.hpp>

namespace libration {

// Of a system with functions that cannot be traced: what that costs.
std::string untraced_warning(const System<double>& system);

// What its record warns of; functions that cannot be traced; a step beyond its interval of periodicity, or so near to
// its end that only small motions are stable.
std::vector<std::string> method_warnings(const Method& method, System<double>& system, const StartState<double>& start,
                                         const IntegrationOptions& options);

}  // namespace libration
