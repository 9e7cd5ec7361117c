// Long work in a thread of its own, while the calling thread looks after Ctrl-C and after those who watch.
#pragma once

#include <libration/integrate/run.hpp>

#include <functional>

namespace libration::python {

// Runs `work` without the GIL; a few times a second, and once at the end, `look` is called with it. Ctrl-C, or what
// `look` throws, requests a stop; the end of the work is waited for in any case. True: Ctrl-C came. Throws what
// `look`, a signal handler or, if neither did, the work has thrown.
bool work_patiently(const std::function<void()>& work, StopSignal& stop, const std::function<void()>& look = {});

}  // namespace libration::python
