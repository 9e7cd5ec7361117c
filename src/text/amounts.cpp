// Counts and times as text.
#include "amounts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace libration {

std::string grouped(std::int64_t number) {
    std::string digits = std::to_string(number);
    const std::size_t start = number < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > start + 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

std::string duration_text(double seconds) {
    if (!(seconds >= 0) || seconds > 1e10) {
        return "?";
    }
    if (seconds < 10) {
        return fmt::format("{:.2g} s", seconds);
    }
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (whole < 60) {
        return fmt::format("{} s", whole);
    }
    if (whole < 3600) {
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    }
    return whole < 86400 ? fmt::format("{} h {} min", whole / 3600, whole / 60 % 60)
                         : fmt::format("{} d {} h", whole / 86400, whole / 3600 % 24);
}

std::string short_time_text(double seconds) {
    if (seconds < 1e-5) {
        return fmt::format("{:.0f} ns", 1e9 * seconds);
    }
    if (seconds < 1e-2) {
        return fmt::format("{:.0f} us", 1e6 * seconds);
    }
    return seconds < 10 ? fmt::format("{:.0f} ms", 1e3 * seconds) : fmt::format("{:.0f} s", seconds);
}

}  // namespace libration
