// Signals.
#include "stop_request.hpp"

#include <csignal>

namespace libration::app {

StopSignal stop_signal;

extern "C" void request_stop(int signal_number) {
    stop_signal.request();
    std::signal(signal_number, SIG_DFL);  // a second Ctrl-C ends the program at once
}

void watch_for_stop_requests() {
    std::signal(SIGINT, request_stop);
    std::signal(SIGTERM, request_stop);
}

}  // namespace libration::app
