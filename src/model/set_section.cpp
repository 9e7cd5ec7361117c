#include "set_section.hpp"

#include "document.hpp"

#include <libration/text/error.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace libration {

namespace {

Document read(const std::string& text) {
    return read_document(std::make_shared<const Source>(Source{"the model", text}));
}

// What is written, regardless of its places.
bool same_document(const Document& a, const Document& b) {
    return a.kind == b.kind && a.text == b.text && a.integer == b.integer && a.boolean == b.boolean &&
           (a.number == b.number || (a.number != a.number && b.number != b.number)) &&
           (a.indices ? a.indices->values : std::vector<std::int64_t>{}) ==
               (b.indices ? b.indices->values : std::vector<std::int64_t>{}) &&
           std::ranges::equal(a.items, b.items, same_document) &&
           std::ranges::equal(a.entries, b.entries, [](const auto& one, const auto& other) {
               return one.first == other.first && same_document(one.second, other.second);
           });
}

// The lines with their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto length = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return lines;
}

bool begins_with(std::string_view line, char c) {
    const auto at = line.find_first_not_of(" \t");
    return at != std::string_view::npos && line[at] == c;
}

// Without the lines [first, last); nothing if that leaves another document than `wanted`.
std::optional<std::string> cut(const std::vector<std::string_view>& lines, std::size_t first, std::size_t last,
                               const Document& wanted) {
    std::string rest;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        if (k < first || k >= last) {
            rest += lines[k];
        }
    }
    rest.erase(rest.find_last_not_of(" \t\r\n") + 1);
    rest += '\n';
    try {
        return same_document(read(rest), wanted) ? std::optional(rest) : std::nullopt;
    } catch (const InputError&) {  // cut in the middle of something
        return std::nullopt;
    }
}

}  // namespace

std::string without_set_section(const std::string& text) {
    auto document = read(text);
    const auto* section = document.find("set");
    if (section == nullptr) {
        return text;
    }
    const auto place = *section;
    std::erase_if(document.entries, [](const auto& entry) { return entry.first == "set"; });
    const auto lines = lines_of(text);
    const std::size_t header = place.place.line - 1;
    // It ends at the next line that looks like a header and is one: what remains reads as before.
    for (std::size_t next = header + 1; header < lines.size() && begins_with(lines[header], '['); ++next) {
        if (next < lines.size() && !begins_with(lines[next], '[')) {
            continue;
        }
        auto last = std::min(next, lines.size());
        while (next < lines.size() && last > header + 1 && begins_with(lines[last - 1], '#')) {
            --last;  // a comment above a header belongs to it
        }
        if (auto rest = cut(lines, header, last, document)) {
            return *std::move(rest);
        }
        if (next >= lines.size()) {
            break;
        }
    }
    place.fail("write these values as a section, with `[set]` on its own line, so that they can be replaced");
}

}  // namespace libration
