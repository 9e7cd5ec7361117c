// Who works, who waits, and when the interpreter may go.
#include "gil.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include <pthread.h>
#include <unistd.h>

namespace libration::python {

namespace py = pybind11;

namespace {

enum class Exit { no, asked, done };  // done: nobody gets the GIL any more

std::atomic<Exit> exit_state{Exit::no};
std::atomic<std::thread::id> leaver;  // the thread that exits; it goes on as ever
std::atomic<int> working{0}, taking{0};
thread_local int depth = 0;

bool is_leaver() { return leaver.load() == std::this_thread::get_id(); }

[[noreturn]] void stay() {
    for (;;) {
        pause();
    }
}

// Says that the GIL is about to be taken: the exit waits for those who have begun.
void begin_taking() {
    ++taking;
    if (exit_state == Exit::done && !is_leaver()) {
        --taking;
        stay();
    }
}

template <class Condition>
bool wait_until(Condition condition, std::chrono::milliseconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) {
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

void leave() {
    leaver = std::this_thread::get_id();
    exit_state = Exit::asked;
    const int own = depth > 0 ? 1 : 0;
    auto* const mine = PyEval_SaveThread();
    wait_until([&] { return working <= own; }, std::chrono::seconds(3));
    exit_state = Exit::done;
    wait_until([] { return taking == 0; }, std::chrono::seconds(3));
    PyEval_RestoreThread(mine);
}

}  // namespace

bool python_is_leaving() { return exit_state != Exit::no; }

Work::Work() {
    if (python_is_leaving() && depth == 0 && !is_leaver()) {
        PyEval_SaveThread();
        stay();
    }
    if (depth++ == 0) {
        ++working;
    }
}

Work::~Work() {
    if (--depth > 0) {
        return;
    }
    --working;
    if (python_is_leaving() && !is_leaver()) {
        PyEval_SaveThread();
        stay();
    }
}

ReleasedGil::ReleasedGil() : state_(PyEval_SaveThread()) {}

ReleasedGil::~ReleasedGil() {
    begin_taking();
    PyEval_RestoreThread(state_);
    --taking;
}

HoldGil::HoldGil() {
    begin_taking();
    held_.emplace();
    --taking;
}

HoldGil::~HoldGil() {
    if (exit_state == Exit::done && !is_leaver()) {
        if (PyGILState_Check() != 0) {
            PyEval_SaveThread();
        }
        stay();
    }
}

StayIfPythonLeft::~StayIfPythonLeft() {
    if (exit_state == Exit::done && !is_leaver()) {
        if (PyGILState_Check() != 0) {
            PyEval_SaveThread();
        }
        stay();
    }
}

void watch_the_exit() {
    // In a child made by fork only one thread goes on.
    pthread_atfork(nullptr, nullptr, [] {
        working = depth > 0 ? 1 : 0;
        taking = 0;
    });
    py::module_::import("atexit").attr("register")(py::cpp_function(&leave));
}

}  // namespace libration::python
