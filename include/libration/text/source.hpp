// Places in a text that a user wrote, and messages that point at them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// A text with the name under which the user knows it.
struct Source {
    std::string name;
    std::string text;
    // An argument under that name: lines need no numbers. If it was not text, `text` is empty and nothing is
    // shown.
    bool is_argument = false;
};

// A place in a source, counted from 1; line 0 means "no place known".
struct Place {
    std::shared_ptr<const Source> source;
    std::size_t line = 0;
    std::size_t column = 0;
    // For a text in quotes that is not written as it reads (escapes, continued lines): byte k of the text stands at
    // byte (*bytes)[k] of the source.
    std::shared_ptr<const std::vector<std::size_t>> bytes;
};

// The place of byte `offset` of a text that starts at `place`.
Place advance(const Place& place, std::string_view text, std::size_t offset);

// The number of characters of a UTF-8 text: columns count what the user sees, not bytes.
std::size_t characters(std::string_view text);

// `NAME:LINE:COLUMN: message`, the line itself and a caret of the given width under the place. Without a place, only
// the message.
std::string point_at(const Place& place, std::string_view message, std::size_t width = 1);

}  // namespace libration
