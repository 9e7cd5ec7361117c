// A way out of measurements that take long: all loops of the measuring thread check one stop signal.
#pragma once

#include <libration/integrate/integrate.hpp>

#include <stdexcept>

namespace libration {

struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("interrupted") {}
};

// While it lives, certificates, comparisons and recipes of this thread throw Interrupted once a stop is requested.
class Interruptible {
  public:
    explicit Interruptible(const StopSignal& stop) : before_(watched_) { watched_ = &stop; }
    ~Interruptible() { watched_ = before_; }
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

    static void check() {
        if (watched_ != nullptr && watched_->requested()) {
            throw Interrupted();
        }
    }
    static Run run(Integration& integration) {
        check();
        if (watched_ != nullptr) {
            integration.stop_on(*watched_);
        }
        auto result = integration.run();
        check();
        return result;
    }

  private:
    inline static thread_local const StopSignal* watched_ = nullptr;
    const StopSignal* before_;
};

}  // namespace libration
