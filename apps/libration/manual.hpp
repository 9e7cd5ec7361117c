// What a system installs along with the program: manual pages and shell completions, made from the table of commands,
// so that they name what the program takes and nothing else.
#pragma once

#include "commands.hpp"

#include <span>
#include <string>

namespace libration::app {

// Pages of section 1 in the macros of man(7).
std::string manual_page(const Command& command);
std::string manual_page(std::string_view description, std::string_view footer, std::span<const Command> commands);

// Scripts that complete commands, options and the values that can be listed: methods, problems, analyses, files.
std::string bash_completion(std::span<const Command> commands);
std::string zsh_completion(std::span<const Command> commands);
std::string fish_completion(std::span<const Command> commands);

}  // namespace libration::app
