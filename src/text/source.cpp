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

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The bytes of `count` characters from character number `first` on.
std::string_view part(std::string_view text, std::size_t first, std::size_t count) {
    const auto bytes_of = [&](std::size_t n) {
        std::size_t at = 0;
        for (; at < text.size(); ++at) {
            if (!continues(text[at]) && n-- == 0) {
                break;
            }
        }
        return at;
    };
    const std::size_t start = bytes_of(first);
    return text.substr(start, bytes_of(first + count) - start);
}

}  // namespace

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !continues(c); }));
}

Place advance(const Place& place, std::string_view text, std::size_t offset) {
    Place where = place;
    std::string_view before = text.substr(0, offset);
    if (place.bytes && !place.bytes->empty()) {
        const auto at = offset < place.bytes->size() ? (*place.bytes)[offset] : place.bytes->back() + 1;
        before = std::string_view(place.source->text).substr(0, at);
        where.line = 1;
        where.column = 1;
    }
    if (const auto newline = before.rfind('\n'); newline != std::string_view::npos) {
        where.line += static_cast<std::size_t>(std::ranges::count(before, '\n'));
        where.column = 1;
        before.remove_prefix(newline + 1);
    }
    where.column += characters(before);
    return where;
}

std::string point_at(const Place& place, std::string_view message, std::size_t width) {
    if (!place.source || place.line == 0) {
        return std::string(message);
    }
    if (place.source->is_argument && place.source->text.empty()) {
        return fmt::format("{}: {}", place.source->name, message);
    }
    constexpr std::size_t window = 100;  // long lines are shown in part, so that the caret stays on the screen
    const auto line = line_of(place.source->text, place.line);
    const std::size_t length = characters(line);
    const std::size_t caret = std::min(place.column - 1, length);
    const std::size_t cut = length > window && caret > window / 2 ? caret - window / 2 : 0;
    const std::string_view ellipsis = cut > 0 ? "..." : "";
    const std::size_t room = std::max<std::size_t>(1, std::min(length, cut + window) - std::min(length, caret));
    const auto& source = *place.source;
    const auto where =
        source.is_argument ? source.name : fmt::format("{}:{}:{}", source.name, place.line, place.column);
    return fmt::format("{}: {}\n    {}{}\n    {}{}", where, message, ellipsis, part(line, cut, window),
                       std::string(ellipsis.size() + caret - cut, ' '),
                       std::string(std::clamp<std::size_t>(width, 1, room), '^'));
}

}  // namespace libration
