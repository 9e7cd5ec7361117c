// Names, brackets and commas.
#include "function_text.hpp"

#include "text/trim.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

bool is_in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

std::string_view argument_text(const std::string& text, std::size_t first, std::size_t end) {
    return trimmed(std::string_view(text).substr(first, end - first));
}

}  // namespace

std::optional<FunctionCall> find_call(const std::string& text, const std::string& name, std::size_t from) {
    for (auto at = text.find(name, from); at != std::string::npos; at = text.find(name, at + 1)) {
        const auto open = text.find_first_not_of(" \t", at + name.size());
        if ((at > 0 && is_in_name(text[at - 1])) || open == std::string::npos || text[open] != '(') {
            continue;
        }
        FunctionCall call{.first = at};
        int depth = 0;
        std::size_t first = open + 1;
        for (std::size_t k = open; k < text.size(); ++k) {
            const char c = text[k];
            depth += c == '(' || c == '[' ? 1 : (c == ')' || c == ']' ? -1 : 0);
            if (depth == 0 || (depth == 1 && c == ',')) {
                call.arguments.emplace_back(argument_text(text, first, k));
                first = k + 1;
            }
            if (depth == 0) {
                call.size = k + 1 - at;
                return call;
            }
        }
        throw InputError({.argument = "loss",
                          .value = text,
                          .problem = fmt::format("the bracket of {}( is not closed", name),
                          .remedy = fmt::format("write {}(...)", name)});
    }
    return std::nullopt;
}

}  // namespace libration
