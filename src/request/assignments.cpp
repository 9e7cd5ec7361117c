// name=value
#include "assignments.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

void check_assignment(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        throw InputError({.argument = "set",
                          .value = text,
                          .problem = "a name or a value is missing",
                          .remedy = "write it as `set = name=value`"});
    }
}

std::vector<std::pair<std::string, std::string>> read_assignments(const std::vector<std::string>& texts) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& text : texts) {
        check_assignment(text);
        const auto equals = text.find('=');
        auto name = text.substr(0, equals);
        if (std::ranges::find(pairs, name, [](const auto& pair) { return pair.first; }) != pairs.end()) {
            throw InputError(
                {.argument = "set", .value = text, .problem = fmt::format("the parameter {} is set twice", name)});
        }
        pairs.emplace_back(std::move(name), text.substr(equals + 1));
    }
    return pairs;
}

}  // namespace libration
