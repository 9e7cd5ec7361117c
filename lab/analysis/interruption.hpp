// A way out of measurements that take long: the thread that measures looks at a flag after every step.
#pragma once

#include <atomic>
#include <stdexcept>

namespace libration {

struct MeasurementInterrupted : std::runtime_error {
    MeasurementInterrupted() : std::runtime_error("interrupted") {}
};

// While it lives, certificates and comparisons of this thread throw MeasurementInterrupted once the flag is set.
class Interruptible {
  public:
    explicit Interruptible(const std::atomic<bool>& stop) : before_(watched_) { watched_ = &stop; }
    ~Interruptible() { watched_ = before_; }
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

    static const std::atomic<bool>* watched() { return watched_; }
    static void check() {
        if (watched_ != nullptr && watched_->load(std::memory_order_relaxed)) {
            throw MeasurementInterrupted();
        }
    }

  private:
    inline static thread_local const std::atomic<bool>* watched_ = nullptr;
    const std::atomic<bool>* before_;
};

}  // namespace libration
