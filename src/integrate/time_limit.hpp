// A stop request after a given time: loops check one flag and no clock.
#pragma once

#include <libration/integrate/run.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace libration {

// Sets the flag when the time is over, unless the work is done before.
class TimeLimit {
  public:
    TimeLimit(std::optional<double> seconds, std::chrono::steady_clock::time_point started, StopSignal& stop) {
        if (!seconds) {
            return;
        }
        const auto end = started + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                       std::chrono::duration<double>(*seconds));
        watch_ = std::jthread([end, &stop](const std::stop_token& done) {
            std::mutex mutex;
            std::condition_variable_any sleep;
            std::unique_lock lock(mutex);
            if (!sleep.wait_until(lock, done, end, [] { return false; }) && !done.stop_requested()) {
                stop.request();
            }
        });
    }

  private:
    std::jthread watch_;
};

}  // namespace libration
