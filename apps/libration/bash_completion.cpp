// Completion for bash: a function that derives the possible words from those before the cursor. It needs nothing of
// the package bash-completion.
#include "completions.hpp"
#include "manual.hpp"

#include <libration/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace libration::app {

namespace {

std::string bash_quoted(std::string_view text) { return single_quoted(text, "'\\''"); }

// Elements that may contain spaces, each on a line of its own.
std::string bash_list(const std::vector<std::string>& elements) {
    return bash_quoted(fmt::format("{}", fmt::join(elements, "\n")));
}

// What the script does with its tables, which stand before this.
constexpr const char* bash_function = R"~(
_libration() {
    local IFS=$'\n' current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
    local words='' endings='' directories='' list='' at option='' position=0
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "$_libration_commands"$'\n-h\n--help\n--version' -- "$current"))
        return
    fi
    # Bash makes a word of the = in --step=0.1. Which option has a value here? Else, the how-manieth position is it?
    for ((at = 2; at <= COMP_CWORD; ++at)); do
        case ${COMP_WORDS[at]} in
            =)
                if ((at == COMP_CWORD)); then
                    current=''
                elif ((at + 1 < COMP_CWORD)); then
                    ((++at))
                    option=''
                fi
                ;;
            -*)
                ((at < COMP_CWORD)) && option=${COMP_WORDS[at]}
                _libration_is_flag "$command" "$option" && option=''
                ;;
            *)
                if [[ -z $option ]]; then
                    ((++position))
                elif ((at < COMP_CWORD)) && [[ ${COMP_WORDS[at + 1]} != = ]]; then
                    option=''
                fi
                ;;
        esac
    done
    current=${current#[\"\']}
    if [[ $current == -* && -z $option ]]; then
        COMPREPLY=($(compgen -W "$(_libration_options "$command")" -- "$current"))
        return
    fi
    _libration_values "$command ${option:-$position}"
    local before=''
    if [[ -n $list ]]; then
        before=${current%"${current##*,}"}
        current=${current##*,}
        [[ $current == ' '* ]] && before+=' ' current=${current# }
    fi
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -P "$before" -W "$words" -- "$current"))
    for at in $endings; do
        COMPREPLY+=($(compgen -f -X "!*$at" -- "$current"))
    done
    [[ -n $endings$directories ]] && COMPREPLY+=($(compgen -d -- "$current"))
} && complete -F _libration libration
)~";

}  // namespace

std::string bash_completion(std::span<const Command> commands) {
    auto text = fmt::format("# bash completion for libration {}\n\n", version);
    for (const auto& [name, elements] : completion_sets(commands)) {
        text += fmt::format("_libration_{}={}\n", name, bash_list(elements));
    }
    std::string options = "\n_libration_options() {\n    case $1 in\n";
    std::string flags = "\n_libration_is_flag() {\n    case \"$1 $2\" in\n        *' -h' | *' --help'";
    std::string values = "\n_libration_values() {\n    case $1 in\n";
    for (const auto& command : commands) {
        std::vector<std::string> names{"--help"};
        int position = 0;
        for (const auto& option : command.options) {
            const auto& argument = option.argument;
            if (!option.is_position) {
                names.push_back(argument.option_name());
            }
            if (argument.kind == FieldKind::flag) {
                flags += fmt::format(" | '{} {}'", command.name, argument.option_name());
                continue;
            }
            position += option.is_position ? 1 : 0;
            const auto given = values_of(command, option);
            if (given.none()) {
                continue;
            }
            // The last position may be a list.
            const auto place = option.is_position ? std::to_string(position) : argument.option_name();
            const bool rest = option.is_position && argument.kind == FieldKind::texts;
            values += rest ? fmt::format("        '{} '[0-9]*)", command.name)
                           : fmt::format("        '{} {}')", command.name, place);
            values += given.set.empty() ? "" : fmt::format(" words=$_libration_{}", given.set);
            values += given.words.empty() ? "" : " words=" + bash_list(given.words);
            values += given.endings.empty() ? "" : " endings=" + bash_list(given.endings);
            values += given.directories ? " directories=yes" : "";
            values += given.list ? " list=yes" : "";
            values += " ;;\n";
        }
        options += fmt::format("        {}) echo {} ;;\n", command.name, bash_list(names));
    }
    return text + options + "    esac\n}\n" + flags + ") return 0 ;;\n    esac\n    return 1\n}\n" + values +
           "    esac\n}\n" + bash_function;
}

}  // namespace libration::app
