// Which values a field takes, as far as they can be listed: the placeholder says it, or the table below.
#include "completions.hpp"

#include "model/embedded.hpp"
#include "reports/tableau_report.hpp"
#include "reproduce/recipe.hpp"
#include <libration/analysis/analysis.hpp>
#include <libration/kit/method_record.hpp>

#include <array>

namespace libration::app {

namespace {

struct NamedSet {
    std::string_view command, field, set;
    bool list = false;
};
constexpr std::array named_sets{
    NamedSet{"methods", "name", "methods"},          NamedSet{"problems", "name", "problems"},
    NamedSet{"tableau", "name", "tableaux"},         NamedSet{"help", "command", "commands"},
    NamedSet{"compare", "methods", "methods", true}, NamedSet{"analyse", "what", "analyses", true},
};

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(separator, at), text.size());
        parts.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

}  // namespace

Values values_of(const Command& command, const Option& option) {
    const auto& argument = option.argument;
    for (const auto& known : named_sets) {
        if (known.command == command.name && known.field == argument.name) {
            return {.set = std::string(known.set), .words = {}, .endings = {}, .list = known.list};
        }
    }
    const auto& value = argument.value;
    if (value == "MODEL") {
        return {.set = "problems", .words = {}, .endings = {".toml"}};
    }
    if (value == "ITEM") {
        return {.set = "items", .words = {}, .endings = {".toml"}};
    }
    if (value == "SPEC" || value == "METHOD") {
        return {.set = "methods", .words = {}, .endings = {}};
    }
    if (value == "DIR") {
        return {.set = {}, .words = {}, .endings = {}, .directories = true};
    }
    if (value == "FILE") {
        return {.set = {}, .words = {}, .endings = {".h5", ".csv"}};
    }
    auto parts = split(value, '|');
    if (value.starts_with("FILE.")) {
        for (auto& part : parts) {
            part.erase(0, std::string_view("FILE").size());
        }
        return {.set = {}, .words = {}, .endings = std::move(parts)};
    }
    return {.set = {}, .words = parts.size() > 1 ? std::move(parts) : std::vector<std::string>(), .endings = {}};
}

std::map<std::string, std::vector<std::string>> completion_sets(std::span<const Command> commands) {
    std::map<std::string, std::vector<std::string>> sets;
    for (const auto& command : commands) {
        sets["commands"].push_back(command.name);
    }
    for (const auto& problem : embedded_problems()) {
        sets["problems"].emplace_back(problem.name);
    }
    for (const auto* record : methods()) {
        std::ranges::copy(examples(*record), std::back_inserter(sets["methods"]));
    }
    for (const auto& record : analyses()) {
        sets["analyses"].push_back(record.name);
    }
    for (const auto& paper : papers()) {
        sets["items"].push_back(paper.number);
    }
    for (const auto& recipe : embedded_recipes()) {
        sets["items"].emplace_back(recipe.name);
    }
    sets["tableaux"] = tableau_names();
    return sets;
}

std::string single_quoted(std::string_view text, std::string_view quote) {
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? std::string(quote) : std::string(1, c);
    }
    return result + "'";
}

}  // namespace libration::app
