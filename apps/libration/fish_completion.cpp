// Completion for fish: one `complete` for each command, option and argument.
#include "completions.hpp"
#include "manual.hpp"

#include <libration/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace libration::app {

namespace {

std::string fish_quoted(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        escaped += c == '\\' ? "\\\\" : std::string(1, c);
    }
    return single_quoted(escaped, "\\'");
}

// What `-a` takes: words, and commands in parentheses that print them.
std::string fish_candidates(const Values& values) {
    std::string text = fmt::format("{}", fmt::join(values.words, " "));
    if (!values.set.empty()) {
        text = fmt::format("({}__libration_{})", values.list ? "__fish_complete_list , " : "", values.set);
    }
    if (!values.endings.empty()) {
        text += fmt::format("{}(__libration_files {})", text.empty() ? "" : " ", fmt::join(values.endings, " "));
    }
    return values.directories ? "(__fish_complete_directories)" : text;
}

}  // namespace

std::string fish_completion(std::span<const Command> commands) {
    auto text = fmt::format("# fish completion for libration {}\n\n", version);
    for (const auto& [name, elements] : completion_sets(commands)) {
        text += fmt::format("function __libration_{}\n    printf '%s\\n'", name);
        for (const auto& element : elements) {
            text += " " + fish_quoted(element);
        }
        text += "\nend\n";
    }
    // fish's own function for endings offers all other files, too.
    text += "function __libration_files\n    set -l typed (string replace -r -- '^--[a-z-]+=' '' (commandline -ct))\n"
            "    for ending in $argv /\n        for file in $typed*$ending\n            echo $file\n        end\n"
            "    end\nend\n";
    text += "function __libration_command\n    set -l words (commandline -opc)\n"
            "    test \"$words[2]\" = \"$argv[1]\"\nend\n\n"
            "complete -c libration -f\n"
            "complete -c libration -s h -l help -d 'show help'\n"
            "complete -c libration -n '__libration_command \"\"' -l version -d 'show version'\n";
    for (const auto& command : commands) {
        text += fmt::format("\ncomplete -c libration -n '__libration_command \"\"' -a {} -d {}\n", command.name,
                            fish_quoted(command.summary));
        const auto here = fmt::format("complete -c libration -n '__libration_command {}'", command.name);
        for (const auto& option : command.options) {
            const auto& argument = option.argument;
            const auto values = values_of(command, option);
            const auto candidates = values.none() ? "" : " -a " + fish_quoted(fish_candidates(values));
            if (!option.is_position) {
                text += fmt::format("{} -l {}{}{} -d {}\n", here, argument.option_name().substr(2),
                                    argument.kind == FieldKind::flag ? "" : " -x", candidates,
                                    fish_quoted(said(argument.meaning())));
            } else if (!candidates.empty()) {
                text += here + candidates + "\n";
            }
        }
    }
    return text;
}

}  // namespace libration::app
