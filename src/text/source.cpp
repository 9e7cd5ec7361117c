// Messages that point at a place in the user's text.
#include <libration/text/source.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

std::string_view line_of(std::string_view text, std::size_t number) {
    for (std::size_t line = 1; line < number; ++line) {
        const auto end = text.find('\n');
        if (end == std::string_view::npos) {
            return {};
        }
        text.remove_prefix(end + 1);
    }
    auto line = text.substr(0, text.find('\n'));
    if (!line.empty() && line.back() == '\r') {
        line.remove_suffix(1);
    }
    return line;
}

}  // namespace

std::string point_at(const Place& place, std::string_view message, std::size_t width) {
    if (!place.source || place.line == 0) {
        return std::string(message);
    }
    constexpr std::size_t window = 100;  // long lines are shown in part, so that the caret stays on the screen
    auto line = line_of(place.source->text, place.line);
    std::size_t caret = std::min(place.column - 1, line.size());
    std::string_view ellipsis;
    if (line.size() > window && caret > window / 2) {
        const std::size_t cut = caret - window / 2;
        line.remove_prefix(cut);
        caret -= cut;
        ellipsis = "...";
    }
    line = line.substr(0, window);
    const std::size_t room = line.size() > caret ? line.size() - caret : 1;
    return fmt::format("{}:{}:{}: {}\n    {}{}\n    {:>{}}", place.source->name, place.line, place.column, message,
                       ellipsis, line, std::string(std::clamp<std::size_t>(width, 1, room), '^'),
                       ellipsis.size() + caret + std::clamp<std::size_t>(width, 1, room));
}

}  // namespace libration
