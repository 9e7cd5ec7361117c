// Text to tokens.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace libration {

enum class TokenKind { number, name, mark, end };

struct Token {
    TokenKind kind;
    std::string_view text;
    std::size_t offset;
};

// A fault in a text, at an offset from its start. The parser's face turns it into an InputError with file and line.
struct SyntaxFault : std::runtime_error {
    SyntaxFault(const std::string& message, std::size_t at, std::size_t how_wide)
        : std::runtime_error(message), offset(at), width(how_wide) {}
    std::size_t offset;
    std::size_t width;
};

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
std::vector<Token> tokens_of(std::string_view text);

}  // namespace libration
