// Waiting with open ears.
#include "patience.hpp"
#include "gil.hpp"

#include <pybind11/pybind11.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace libration::python {

namespace py = pybind11;

namespace {

constexpr auto between_looks = std::chrono::milliseconds(100);

class Worker {
  public:
    explicit Worker(const std::function<void()>& work) : thread_([this, &work] { run(work); }) {}

    // Whether the work has ended by then.
    bool wait() {
        const ReleasedGil released;
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, between_looks, [this] { return done_; });
    }
    void finish() {
        thread_.join();
        if (fault_) {
            std::rethrow_exception(fault_);
        }
    }
    void abandon_fault() { fault_ = nullptr; }

  private:
    void run(const std::function<void()>& work) {
        try {
            work();
        } catch (...) {
            fault_ = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        done_ = true;
        changed_.notify_one();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::exception_ptr fault_;
    std::thread thread_;  // the last: it uses all the others
};

}  // namespace

bool work_patiently(const std::function<void()>& work, StopSignal& stop, const std::function<void()>& look) {
    const Work whole;
    Worker worker(work);
    bool interrupted = false;
    std::exception_ptr trouble;
    for (bool ended = false; !ended;) {
        ended = worker.wait();
        if (python_is_leaving()) {
            stop.request();
        }
        if (interrupted || trouble) {
            continue;
        }
        try {
            const StayIfPythonLeft guard;
            if (PyErr_CheckSignals() != 0) {
                throw py::error_already_set();
            }
            if (look) {
                look();
            }
        } catch (const py::error_already_set& error) {
            stop.request();
            interrupted = error.matches(PyExc_KeyboardInterrupt);
            trouble = interrupted ? nullptr : std::current_exception();
        } catch (...) {  // nothing may leave while the thread runs
            stop.request();
            trouble = std::current_exception();
        }
    }
    if (trouble) {
        worker.abandon_fault();
        worker.finish();
        std::rethrow_exception(trouble);
    }
    worker.finish();
    return interrupted;
}

}  // namespace libration::python
