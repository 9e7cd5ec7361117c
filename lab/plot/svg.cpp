// Text, numbers and paths as SVG.
#include "plot/svg.hpp"

#include <libration/text/source.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace libration::plot {

namespace {

constexpr std::string_view replacement = "\uFFFD";

// The bytes of the character at the front of the text, or 0 if they are not UTF-8 or not a character of XML 1.0.
std::size_t length_of_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const std::uint32_t lead = byte(0);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || length > text.size() || (length == 1 && (lead < 0x20 || lead == 0x7F))) {
        return 0;
    }
    std::uint32_t code = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return 0;
        }
        code = (code << 6U) | (byte(i) & 0x3FU);
    }
    const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool forbidden = (code >= 0xD800 && code < 0xE000) || code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
    return too_long || forbidden ? 0 : length;
}

// As many bytes as make `most` characters.
std::size_t bytes_of(std::string_view text, std::size_t most) {
    std::size_t at = 0;
    for (std::size_t n = 0; at < text.size() && n < most; ++n) {
        do {
            ++at;
        } while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
    }
    return at;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const char c = text.front();
        std::size_t length = 1;
        if (c == '&') {
            result += "&amp;";
        } else if (c == '<') {
            result += "&lt;";
        } else if (c == '>') {
            result += "&gt;";
        } else if (c == '"') {
            result += "&quot;";
        } else if (c == '\n' || c == '\t' || c == '\r') {
            result += ' ';
        } else if (const std::size_t bytes = length_of_character(text); bytes > 0) {
            result += text.substr(0, bytes);
            length = bytes;
        } else {
            result += replacement;
        }
        text.remove_prefix(length);
    }
    return result;
}

// DejaVu Sans, one of the widest fonts, has 0.6 em on average in English text.
double width_of(std::string_view text) { return 0.6 * font_size * static_cast<double>(characters(text)); }

std::vector<std::string> wrapped(std::string_view text, double width) {
    const auto most = static_cast<std::size_t>(std::max(1.0, width / width_of("x")));
    std::vector<std::string> lines;
    while (characters(text) > most) {
        const std::size_t room = bytes_of(text, most + 1);
        std::size_t end = text.substr(0, room).find_last_of(" \n\t");
        const bool at_blank = end != std::string_view::npos && end > 0;
        end = at_blank ? end : bytes_of(text, most);
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(at_blank ? end + 1 : end);
    }
    if (!text.empty()) {
        lines.emplace_back(text);
    }
    return lines;
}

std::string number(double coordinate) {
    const auto hundredths = std::llround(coordinate * 100);
    const auto size = std::llabs(hundredths);
    std::string text = fmt::format("{}{}", hundredths < 0 ? "-" : "", size / 100);
    if (size % 100 != 0) {
        text += size % 10 == 0 ? fmt::format(".{}", size % 100 / 10) : fmt::format(".{:02}", size % 100);
    }
    return text;
}

std::string line_path(const Polyline& line) {
    std::string path;
    for (const auto& point : line) {
        path += fmt::format("{}{} {}", path.empty() ? "M" : " ", number(point.x), number(point.y));
    }
    // A lone point shows as the round ends of a line that is hardly longer than nothing.
    return line.size() == 1 ? path + "h.01" : path;
}

std::string ink_path(const Ink& ink, double width) {
    std::string path;
    for (const auto& stroke : ink.strokes) {
        path += fmt::format("M{} {}v{}", number(stroke.x), number(stroke.y - width / 2),
                            number(ink.cell * static_cast<double>(stroke.length - 1) + width));
    }
    return path;
}

std::string text_element(const Point& at, Anchor anchor, std::string_view content, std::string_view attributes) {
    const std::string_view name = anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
    return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}{}>{}</text>\n", number(at.x), number(at.y), name,
                       attributes.empty() ? "" : " ", attributes, content);
}

std::string power_of_ten(std::string_view before, std::string_view power) {
    return fmt::format("{}<tspan dy=\"-5\" font-size=\"10\">{}</tspan>", before, power);
}

}  // namespace libration::plot
