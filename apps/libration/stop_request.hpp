// Ctrl-C and termination as a request that loops check.
#pragma once

#include <libration/integrate/run.hpp>

namespace libration::app {

extern StopSignal stop_signal;

// From here on the first SIGINT or SIGTERM requests a stop; a second one ends the program at once.
void watch_for_stop_requests();

}  // namespace libration::app
