// Completion for zsh, by its function _arguments.
#include "completions.hpp"
#include "manual.hpp"

#include <libration/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace libration::app {

namespace {

std::string zsh_quoted(std::string_view text) { return single_quoted(text, "'\\''"); }

// Brackets end an explanation, and colons a part of a specification.
std::string explained(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += std::string_view("[]:\\").find(c) == std::string_view::npos ? "" : "\\";
        result += c;
    }
    return result;
}

// What completes a value.
std::string zsh_action(const Values& values) {
    if (values.directories) {
        return "_files -/";
    }
    if (!values.words.empty()) {
        return fmt::format("({})", fmt::join(values.words, " "));
    }
    if (values.list) {
        return "_sequence _libration_" + values.set;
    }
    std::string files;
    for (const auto& ending : values.endings) {
        files += (files.empty() ? "" : "|") + ending.substr(1);
    }
    if (files.empty()) {
        return values.set.empty() ? " " : "_libration_" + values.set;
    }
    return values.set.empty() ? fmt::format("_files -g \"*.({})\"", files) : "_libration_" + values.set;
}

std::string zsh_specification(const Command& command, const Option& option, int position) {
    const auto& argument = option.argument;
    const auto action = fmt::format(":{}:{}", explained(argument.value), zsh_action(values_of(command, option)));
    if (option.is_position) {
        const bool several = argument.kind == FieldKind::texts;
        return zsh_quoted((several ? "*" : std::to_string(position)) + action);
    }
    const auto help = fmt::format("[{}]", explained(said(argument.meaning())));
    if (argument.kind == FieldKind::flag) {
        return zsh_quoted(argument.option_name() + help);
    }
    return zsh_quoted((argument.kind == FieldKind::texts ? "*" : "") + argument.option_name() + "=" + help + action);
}

}  // namespace

std::string zsh_completion(std::span<const Command> commands) {
    auto text = fmt::format("#compdef libration\n# zsh completion for libration {}\n\n", version);
    for (const auto& [name, elements] : completion_sets(commands)) {
        std::string quoted;
        for (const auto& element : elements) {
            quoted += " " + zsh_quoted(element);
        }
        text += fmt::format("_libration_{}() {{\n    local -a all=({})\n    compadd \"$@\" -a all\n}}\n", name,
                            quoted.substr(1));
    }
    std::string summaries;
    std::string cases;
    for (const auto& command : commands) {
        summaries += "        " + zsh_quoted(command.name + ":" + command.summary) + "\n";
        cases +=
            fmt::format("        {})\n            _arguments -s -S '(- *)'{{-h,--help}}'[show help]'", command.name);
        int position = 0;
        for (const auto& option : command.options) {
            position += option.is_position ? 1 : 0;
            cases += " \\\n                " + zsh_specification(command, option, position);
        }
        cases += "\n            ;;\n";
    }
    return text +
           "\n_libration() {\n    local context state state_descr line\n    typeset -A opt_args\n"
           "    _arguments -C '(- *)'{-h,--help}'[show help]' '(- *)--version[show version]' \\\n"
           "        '1:command:->command' '*::argument:->argument'\n"
           "    if [[ $state == command ]]; then\n        local -a commands=(\n" +
           summaries +
           "        )\n        _describe command commands\n        return\n    fi\n"
           "    [[ $state == argument ]] || return\n    case $words[1] in\n" +
           cases + "    esac\n}\n\n_libration \"$@\"\n";
}

}  // namespace libration::app
