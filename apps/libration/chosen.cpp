// Progress and the line that says what was chosen.
#include "chosen.hpp"

#include "commands.hpp"
#include "stop_request.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace libration::app {

namespace {

// One line that is overwritten on a terminal; nothing elsewhere, because pilots are short.
class PilotLine {
  public:
    explicit PilotLine(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO) != 0) {}
    ~PilotLine() { clear(); }
    PilotLine(const PilotLine&) = delete;
    PilotLine& operator=(const PilotLine&) = delete;

    void show(const std::string& text) {
        if (shown_) {
            fmt::print(stderr, "\r\033[Kpilot: {}", text.substr(0, 70));
            std::fflush(stderr);
            open_ = true;
        }
    }
    void clear() {
        if (open_) {
            fmt::print(stderr, "\r\033[K");
            open_ = false;
        }
    }

  private:
    bool shown_, open_ = false;
};

}  // namespace

bool attended_by_line(bool quiet, const std::function<void(const ChoiceProgress&)>& work) {
    PilotLine line(quiet);
    try {
        work([&line](const std::string& text) { line.show(text); });
        return true;
    } catch (const ChoiceInterrupted&) {
        line.clear();
        fmt::print(stderr, "stopped while method and step size were being chosen; no step was made\n");
        return false;
    }
}

void print_chosen(const std::optional<ChosenSettings>& chosen, bool quiet) {
    if (chosen && !quiet) {
        fmt::print(stderr, "{} {}\n", bold("chosen:", stderr), said(line_of(*chosen)));
    }
}

}  // namespace libration::app
