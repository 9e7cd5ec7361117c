// Options, and commands in quotes.
#include "command_line.hpp"

#include "arguments.hpp"

#include <cctype>

namespace libration {

namespace {

// As a shell takes it.
std::string quoted(std::string_view value) {
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_./=:,+-%@").find(c) != std::string_view::npos || (c & 0x80) != 0;
    };
    const bool in_quotes = value.size() > 1 && value.starts_with('"') && value.ends_with('"');
    return in_quotes || (!value.empty() && std::ranges::all_of(value, plain)) ? std::string(value)
                                                                              : "\"" + std::string(value) + "\"";
}

// `libration run out=FILE.h5` is 'libration run --out FILE.h5'. Of `libration help run` all words are plain.
std::string command_words(std::string_view command) {
    std::string text = "'libration";
    const auto rest = command.substr(std::string_view("libration").size());
    std::size_t number = 0;
    const bool help = rest.starts_with(" help");
    for (std::size_t at = 1; at < rest.size();) {
        const auto end = std::min(rest.find(' ', at), rest.size());
        const auto word = rest.substr(at, end - at);
        const auto equals = word.find('=');
        const auto known = argument_named(word.substr(0, equals));
        const bool option =
            number > 0 && !help &&
            (equals != std::string_view::npos || word == "search" || (known && known->kind == FieldKind::flag));
        if (!option) {
            text.append(" ").append(word);
        } else {
            text +=
                " " + Argument{word.substr(0, equals), FieldKind::flag, {}, {}, {}, {}, {}, use::command}.option_name();
            text += equals == std::string_view::npos ? "" : " " + std::string(word.substr(equals + 1));
        }
        ++number;
        at = end + 1;
    }
    return text + "'";
}

}  // namespace

std::string option_words(const Argument& argument, std::string_view value) {
    if (argument.kind == FieldKind::position || (argument.uses & use::position) != 0) {
        return std::string(argument.value);
    }
    if (argument.kind == FieldKind::flag || value.empty()) {
        return argument.option_name();
    }
    return argument.option_name() + " " + quoted(value);
}

std::optional<std::string> CommandLine::words(const Reference& reference) const {
    switch (reference.kind) {
        case Reference::Kind::key: return std::string(reference.whole);
        case Reference::Kind::command: return command_words(reference.whole);
        case Reference::Kind::argument: break;
    }
    if (reference.name == "true" || reference.name == "false") {
        return std::string(reference.name);
    }
    const auto argument = argument_named(reference.name);
    return argument ? std::optional(option_words(*argument, reference.value)) : std::nullopt;
}

}  // namespace libration
