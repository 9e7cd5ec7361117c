// The possible values at a position of the command line, for all shells.
#pragma once

#include "commands.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace libration::app {

struct Values {
    std::string set;                   // a key of completion_sets(); empty: none
    std::vector<std::string> words;    // or these words
    std::vector<std::string> endings;  // files that end so, e.g. ".toml"
    bool directories = false;
    bool list = false;  // several, with commas between them
    [[nodiscard]] bool none() const { return set.empty() && words.empty() && endings.empty() && !directories; }
};

Values values_of(const Command& command, const Option& option);

// Lists that several places take: problems, methods, ...
std::map<std::string, std::vector<std::string>> completion_sets(std::span<const Command> commands);

// 'text', with quotes inside replaced by `quote`.
std::string single_quoted(std::string_view text, std::string_view quote);

}  // namespace libration::app
