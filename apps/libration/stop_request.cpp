// Signals.
#include "stop_request.hpp"

#include <csignal>

namespace libration::app {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch lock-free atomics only");

extern "C" void request_stop(int signal_number) {
    stop_requested.store(true, std::memory_order_relaxed);
    std::signal(signal_number, SIG_DFL);  // a second Ctrl-C ends the program at once
}

void watch_for_stop_requests() {
    std::signal(SIGINT, request_stop);
    std::signal(SIGTERM, request_stop);
}

}  // namespace libration::app
