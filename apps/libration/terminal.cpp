// Terminal output.
#include "terminal.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace libration::app {

namespace {

std::string coloured(const std::string& text, const char* code, std::FILE* stream) {
    return wants_colour(stream) ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

int terminal_width() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string rate_text(double per_second) {
    if (!std::isfinite(per_second) || per_second <= 0) {
        return "";  // what is under way is not counted in steps
    }
    if (per_second >= 1e6) {
        return fmt::format("{:.2f} M steps/s", per_second / 1e6);
    }
    return per_second >= 1e3 ? fmt::format("{:.0f} k steps/s", per_second / 1e3)
                             : fmt::format("{:.3g} steps/s", per_second);
}

}  // namespace

bool wants_colour(std::FILE* stream) { return isatty(fileno(stream)) != 0 && std::getenv("NO_COLOR") == nullptr; }
std::string bold(const std::string& text, std::FILE* stream) { return coloured(text, "1", stream); }
std::string red(const std::string& text, std::FILE* stream) { return coloured(text, "31;1", stream); }
std::string green(const std::string& text, std::FILE* stream) { return coloured(text, "32", stream); }

ProgressBar::ProgressBar() : terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressBar::show(const Progress& progress, const std::string& note) {
    const double fraction = progress.fraction ? *progress.fraction
                            : progress.total > 0
                                ? static_cast<double>(progress.done) / static_cast<double>(progress.total)
                                : 1;
    const bool complete = progress.fraction ? fraction >= 1 : progress.done >= progress.total;
    const double rate = static_cast<double>(progress.done - progress.restored) / progress.seconds;
    const double rest = progress.fraction ? progress.seconds * (1 - fraction) / fraction
                                          : static_cast<double>(progress.total - progress.done) / rate;
    const auto speed = rate_text(rate);
    const auto tail = fmt::format(
        "{:5.1f} %  {}{}{}{}", 100 * fraction, note, note.empty() ? "" : "  ", speed.empty() ? "" : speed + "  ",
        complete ? "done in " + duration_text(progress.seconds) : duration_text(rest) + " left");
    if (!terminal_) {
        const int tenth = static_cast<int>(10 * fraction);
        if (complete || (tenth > last_tenth_ && progress.seconds - last_line_ > 1) ||
            progress.seconds - last_line_ > 30) {
            fmt::print(stderr, "{}\n", tail);
            last_tenth_ = tenth;
            last_line_ = progress.seconds;
        }
        return;
    }
    const int width = terminal_width();
    const int room = std::min(60, width - static_cast<int>(tail.size()) - 4);
    std::string bar;
    for (int k = 0; k < room; ++k) {
        bar += k < static_cast<int>(fraction * room) ? "█" : "░";
    }
    // A line that wraps could not be written over.
    fmt::print(stderr, "\r{} {}\033[K", bar, tail.substr(0, static_cast<std::size_t>(std::max(1, width - 2))));
    std::fflush(stderr);
    open_ = true;
}

void ProgressBar::close() {
    if (open_) {
        fmt::print(stderr, "\n");
        open_ = false;
    }
}

}  // namespace libration::app
