// Ctrl-C, where it may come.
#pragma once

#include <libration/integrate/run.hpp>

namespace libration::python {

// With the GIL held: runs what signals have asked for, and throws what it raises, KeyboardInterrupt as a rule.
void look_for_signals();
// The same without the GIL.
void look_for_signals_outside();

// While one of these lives, Ctrl-C in a function of the user that this thread calls asks for an end of the run at its
// next whole step. A second one is raised where it comes.
class InterruptKeeper {
  public:
    explicit InterruptKeeper(StopSignal& stop);
    ~InterruptKeeper();
    InterruptKeeper(const InterruptKeeper&) = delete;
    InterruptKeeper& operator=(const InterruptKeeper&) = delete;

    [[nodiscard]] bool came() const { return came_; }
    // Whether the one that came now is kept.
    static bool keep();

  private:
    StopSignal& stop_;
    bool came_ = false;
    InterruptKeeper* outer_;
};

}  // namespace libration::python
