// References are found from left to right; a backtick that opens none is a character like any other.
#include "language.hpp"

#include <algorithm>
#include <cctype>

namespace libration {

namespace {

bool is_name(std::string_view text) {
    return !text.empty() && std::islower(static_cast<unsigned char>(text.front())) != 0 &&
           std::ranges::all_of(text, [](char c) {
               return std::islower(static_cast<unsigned char>(c)) != 0 ||
                      std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_';
           });
}

// "step = H" into name and value.
void split(std::string_view text, Reference& reference) {
    constexpr std::string_view equals = " = ";
    const auto at = text.find(equals);
    reference.name = text.substr(0, at);
    reference.value = at == std::string_view::npos ? std::string_view() : text.substr(at + equals.size());
}

std::optional<Reference> read_reference(std::string_view text) {
    Reference reference{.whole = text};
    if (text.starts_with("libration ")) {
        reference.kind = Reference::Kind::command;
        return reference;
    }
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        const auto first = text.find_first_not_of('[');
        if (end == std::string_view::npos || first >= end) {
            return std::nullopt;
        }
        reference.kind = Reference::Kind::key;
        reference.section = text.substr(first, end - first);
        const auto rest = std::min(text.find_first_not_of("] ", end), text.size());
        split(text.substr(rest), reference);
        return reference;
    }
    split(text, reference);
    return is_name(reference.name) ? std::optional(reference) : std::nullopt;
}

}  // namespace

std::string told(std::string_view message, const Language& language) {
    std::string result;
    while (!message.empty()) {
        const auto open = message.find('`');
        result.append(message.substr(0, open));
        if (open == std::string_view::npos) {
            break;
        }
        message.remove_prefix(open);
        const auto close = message.find('`', 1);
        if (close != std::string_view::npos) {
            if (const auto reference = read_reference(message.substr(1, close - 1))) {
                if (const auto words = language.words(*reference)) {
                    result.append(*words);
                    message.remove_prefix(close + 1);
                    continue;
                }
            }
        }
        result.push_back('`');
        message.remove_prefix(1);
    }
    return result;
}

}  // namespace libration
