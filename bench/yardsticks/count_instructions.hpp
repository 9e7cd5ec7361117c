// Counts the instructions of a piece of work by making them one at a time, in a copy of this process. Slow, but it sees
// every kind of instruction that the processor knows, also where a simulator would not.
#pragma once

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

namespace bench {

// Instructions between two stops of the copy; the few that stopping takes are counted too. Negative if tracing is not
// allowed.
template <class Work>
std::int64_t count_instructions(Work work) {
    const pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) {
            _exit(1);
        }
        raise(SIGSTOP);
        work();
        raise(SIGSTOP);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (child < 0 || !WIFSTOPPED(status)) {
        return -1;
    }
    std::int64_t count = 0;
    do {
        if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) {
            return -1;
        }
        waitpid(child, &status, 0);
        ++count;
    } while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return count;
}

}  // namespace bench
