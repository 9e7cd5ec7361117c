// Text to tokens. Bytes above 127 belong to names, so that Greek letters work.
#include "lexer.hpp"

#include <fmt/format.h>

#include <array>

namespace libration {

namespace {

bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 128;
}

std::size_t number_length(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size() && is_digit(text[i])) {
        ++i;
    }
    // "0..n" is a range, not the number "0." and a name.
    if (i < text.size() && text[i] == '.' && !(i + 1 < text.size() && text[i + 1] == '.')) {
        ++i;
        while (i < text.size() && is_digit(text[i])) {
            ++i;
        }
    }
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        std::size_t j = i + 1;
        if (j < text.size() && (text[j] == '+' || text[j] == '-')) {
            ++j;
        }
        if (j < text.size() && is_digit(text[j])) {
            while (j < text.size() && is_digit(text[j])) {
                ++j;
            }
            i = j;
        }
    }
    return i;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
    constexpr std::array<std::string_view, 7> pairs{"//", "**", "<=", ">=", "==", "!=", ".."};
    std::vector<Token> tokens;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto rest = text.substr(at);
        const char c = rest[0];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++at;
            continue;
        }
        TokenKind kind = TokenKind::mark;
        std::size_t length = 1;
        if (is_digit(c) || (c == '.' && rest.size() > 1 && is_digit(rest[1]))) {
            kind = TokenKind::number;
            length = number_length(rest);
        } else if (starts_name(c)) {
            kind = TokenKind::name;
            while (length < rest.size() && (starts_name(rest[length]) || is_digit(rest[length]))) {
                ++length;
            }
        } else {
            for (const auto pair : pairs) {
                if (rest.starts_with(pair)) {
                    length = 2;
                }
            }
            if (length == 1 && std::string_view("+-*/%^()[],.<>").find(c) == std::string_view::npos) {
                if (c == '\'' && !tokens.empty() && tokens.back().kind == TokenKind::name) {
                    const auto name = tokens.back().text;
                    throw SyntaxFault(
                        fmt::format("derivatives are not written with '; the velocity of {0} is v_{0}", name),
                        tokens.back().offset, at + 1 - tokens.back().offset);
                }
                throw SyntaxFault(
                    c == '=' ? std::string("'=' has no meaning in a formula; what must be zero is written without "
                                           "it, x^2 + y^2 - 1 for x^2 + y^2 = 1, and conditions compare with ==")
                             : fmt::format("the character '{}' has no meaning here", c),
                    at, 1);
            }
        }
        tokens.push_back({kind, rest.substr(0, length), at});
        at += length;
    }
    tokens.push_back({TokenKind::end, text.substr(text.size()), text.size()});
    return tokens;
}

}  // namespace libration
