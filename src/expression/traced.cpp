// The recorder that is active in this thread.
#include <libration/kit/traced.hpp>

#include <libration/text/error.hpp>

namespace libration {

namespace {

thread_local TraceRecorder* active = nullptr;

}  // namespace

TraceRecorder::TraceRecorder() {
    if (active != nullptr) {
        throw InputError("a trace is already being recorded in this thread");
    }
    active = this;
}

TraceRecorder::~TraceRecorder() { active = nullptr; }

TraceRecorder& TraceRecorder::current() {
    if (active == nullptr) {
        throw InputError("an iterative method was run on traced numbers without a TraceRecorder");
    }
    return *active;
}

}  // namespace libration
