// Arguments, sections of models as arguments of lb.Model, and commands that have a function.
#include "language.hpp"

#include "request/arguments.hpp"
#include "request/command_line.hpp"

#include <fmt/format.h>

#include <array>
#include <regex>

namespace libration::python {

namespace {

std::string in_quotes(std::string_view value) {
    return value.starts_with('"') ? std::string(value) : fmt::format("\"{}\"", value);
}

// "g=1" as an argument of set, "r[0].x=1" as an entry of a dict.
std::string assignment(std::string_view value) {
    if (value.empty()) {
        return "model.set(name=value)";
    }
    const auto equals = value.find('=');
    const auto name = value.substr(0, equals);
    const auto number = equals == std::string_view::npos ? "..." : value.substr(equals + 1);
    const bool plain =
        std::ranges::all_of(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
    return plain ? fmt::format("model.set({}={})", name, number)
                 : fmt::format("model.set({{\"{}\": {}}})", name, number);
}

// "g = uniform(9, 10)" as an entry of a dict.
std::string variation(std::string_view value) {
    const auto equals = value.find(" = ");
    return value.empty() ? "vary"
           : equals == std::string_view::npos
               ? fmt::format("vary {}", in_quotes(value))
               : fmt::format("vary={{\"{}\": \"{}\"}}", value.substr(0, equals), value.substr(equals + 3));
}

std::string argument_words(const Argument& argument, std::string_view value) {
    if (argument.name == "set") {
        return assignment(value);
    }
    if (argument.name == "vary") {
        return variation(value);
    }
    if (argument.name == "from") {
        return "vary={name: array}";
    }
    if (argument.name == "resume") {
        return value.empty() ? "lb.resume" : fmt::format("lb.resume({})", in_quotes(value));
    }
    const auto name = argument.keyword_name();
    if (argument.kind == FieldKind::flag) {
        return name + "=True";
    }
    if (value.empty()) {
        return name;
    }
    switch (argument.kind) {
        case FieldKind::text: return name + "=" + in_quotes(value);
        case FieldKind::texts: return fmt::format("{}=[{}]", name, in_quotes(value));
        case FieldKind::numbers:
            return fmt::format("{}=[{}]", name, std::regex_replace(std::string(value), std::regex(",(?! )"), ", "));
        default: return fmt::format("{}={}", name, value);
    }
}

// Commands that have a function; the others are for a terminal.
struct Function {
    std::string_view command, words;
};
constexpr std::array commands{
    Function{"libration run out=FILE.h5", "model.run(out=\"FILE.h5\")"},
    Function{"libration analyse list", "lb.analyses()"},
    Function{"libration reproduce list", "lb.items()"},
    Function{"libration methods", "lb.methods()"},
    Function{"libration problems", "lb.problems()"},
};

std::string command_words(const Reference& reference) {
    const auto* known = std::ranges::find(commands, reference.whole, &Function::command);
    return known != commands.end() ? std::string(known->words) : *CommandLine{}.words(reference) + " in a terminal";
}

// x = "C", y = true as entries of a dict.
std::string entries(const std::string& toml) {
    auto text = std::regex_replace(toml, std::regex("([A-Za-z_][A-Za-z0-9_.]*) = "), "\"$1\": ");
    text = std::regex_replace(text, std::regex("\\{ "), "{");
    text = std::regex_replace(text, std::regex(" \\}"), "}");
    return std::regex_replace(text, std::regex("\\btrue\\b"), "True");
}

// The argument of lb.Model, where it has another name than the section.
std::string argument_of_section(const std::string& section) {
    return section == "body"                                                                          ? "bodies"
           : section == "energy" || section == "constraint"                                           ? "families"
           : section == "joint" || section == "spring" || section == "damper" || section == "bushing" ? section + "s"
                                                                                                      : section;
}

std::string key_words(const Reference& reference) {
    const auto section = std::string(reference.section), name = std::string(reference.name);
    const auto value = std::string(reference.value);
    if (section == "set") {
        return fmt::format("[set]{}{} of a model file", name.empty() ? "" : " ", name);
    }
    // Entries of these sections are arguments themselves.
    if (section == "dynamics" || section == "coordinates") {
        return name.empty()    ? (section == "dynamics" ? "the arguments" : "q")
               : value.empty() ? name
                               : name + "=" + value;
    }
    const auto dot = section.find('.');
    const auto outer =
        argument_of_section(section.starts_with("dynamics.") ? section.substr(dot + 1) : section.substr(0, dot));
    const auto inner = section.starts_with("dynamics.") || dot == std::string::npos ? "" : section.substr(dot + 1);
    if (value.empty()) {
        return outer + (inner.empty() ? "" : fmt::format("['{}']", inner)) +
               (name.empty() ? "" : fmt::format("['{}']", name));
    }
    const auto dict = "{" + entries(name + " = " + value) + "}";
    return fmt::format("{}={}", outer, inner.empty() ? dict : fmt::format("{{\"{}\": {}}}", inner, dict));
}

}  // namespace

std::optional<std::string> Python::words(const Reference& reference) const {
    switch (reference.kind) {
        case Reference::Kind::key: return written_ ? key_words(reference) : std::string(reference.whole);
        case Reference::Kind::command: return command_words(reference);
        case Reference::Kind::argument: break;
    }
    if (reference.name == "true" || reference.name == "false") {
        return reference.name == "true" ? "True" : "False";
    }
    const auto argument = argument_named(reference.name);
    return argument ? std::optional(argument_words(*argument, reference.value)) : std::nullopt;
}

}  // namespace libration::python
