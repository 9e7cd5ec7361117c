// The GIL in a process whose interpreter may be going down while threads are at work.
//
// Python ends a thread that asks for the GIL too late in the middle of C++, where nobody can catch it: the process
// would abort. So threads that come too late wait here for the end of the process, and the exit of the interpreter
// first asks for an end of all that is running, and waits for it some seconds.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>

namespace libration::python {

// True once the interpreter has begun to exit: long work should end soon.
bool python_is_leaving();

// Around what must be brought to its end before the interpreter exits. Made and destroyed with the GIL held. A thread
// that begins or ends work while the interpreter exits does not come back.
class Work {
  public:
    Work();
    ~Work();
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
};

// Lets others have the GIL during work of ours; instead of pybind11::gil_scoped_release.
class ReleasedGil {
  public:
    ReleasedGil();
    ~ReleasedGil();
    ReleasedGil(const ReleasedGil&) = delete;
    ReleasedGil& operator=(const ReleasedGil&) = delete;

  private:
    Work work_;
    PyThreadState* state_;
};

// Takes the GIL, in any thread; instead of pybind11::gil_scoped_acquire.
class HoldGil {
  public:
    HoldGil();
    ~HoldGil();
    HoldGil(const HoldGil&) = delete;
    HoldGil& operator=(const HoldGil&) = delete;

  private:
    std::optional<pybind11::gil_scoped_acquire> held_;
};

// In front of a catch (...) around code of Python: what ends a thread too late must not be caught.
struct StayIfPythonLeft {
    StayIfPythonLeft() = default;
    ~StayIfPythonLeft();
    StayIfPythonLeft(const StayIfPythonLeft&) = delete;
    StayIfPythonLeft& operator=(const StayIfPythonLeft&) = delete;
};

// Registers what happens at exit.
void watch_the_exit();

}  // namespace libration::python
