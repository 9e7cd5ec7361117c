// Ctrl-C and termination as a request that loops look at.
#pragma once

#include <atomic>

namespace libration::app {

extern std::atomic<bool> stop_requested;

// From here on the first SIGINT or SIGTERM sets the flag; a second one ends the program at once.
void watch_for_stop_requests();

}  // namespace libration::app
