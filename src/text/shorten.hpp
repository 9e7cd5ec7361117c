// What a user gave, where a message repeats it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace libration {

// The first characters of a text that is too long for a message, and "...". Never cuts a UTF-8
// character.
inline std::string shortened(std::string_view text, std::size_t most = 60) {
    if (text.size() <= most) {
        return std::string(text);
    }
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) {
        --most;
    }
    return std::string(text.substr(0, most)) + "...";
}

}  // namespace libration
