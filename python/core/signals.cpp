// Signals reach the main thread only; in others there is nothing to be found.
#include "signals.hpp"

#include "gil.hpp"

namespace libration::python {

namespace {

thread_local InterruptKeeper* current = nullptr;

}  // namespace

void look_for_signals() {
    if (PyErr_CheckSignals() != 0) {
        throw pybind11::error_already_set();
    }
}

void look_for_signals_outside() {
    const HoldGil gil;
    look_for_signals();
}

InterruptKeeper::InterruptKeeper(StopSignal& stop) : stop_(stop), outer_(current) { current = this; }

InterruptKeeper::~InterruptKeeper() { current = outer_; }

bool InterruptKeeper::keep() {
    if (current == nullptr || current->came_) {
        return false;
    }
    current->came_ = true;
    current->stop_.request();
    return true;
}

}  // namespace libration::python
