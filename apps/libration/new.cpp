// `libration new`: a model file to start from.
#include "commands.hpp"
#include "examples.hpp"
#include "new_model.hpp"

#include "model/embedded.hpp"
#include "text/suggest.hpp"
#include "text/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace libration::app {

namespace {

struct NewRequest {
    std::string name;
    std::optional<std::string> from;
    bool json = false;
};
constexpr std::array new_fields{
    RequestField<NewRequest>{"name", &NewRequest::name, "NAME", "the name of the model; the file is NAME.toml"},
    RequestField<NewRequest>{"from", &NewRequest::from, "PROBLEM", "start from a built-in problem"},
    RequestField<NewRequest>{"json", &NewRequest::json, "", "print the name of the file as one JSON object"},
};

// The name without its ending. It becomes a file here, a word of a command and a name in quotes.
std::string checked_name(const std::string& given) {
    auto name = given;
    if (name.empty()) {
        throw InputError("NAME is missing; e.g. `libration new my-model`");
    }
    if (name.ends_with(".toml")) {
        name.resize(name.size() - 5);
    }
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.';
    };
    if (name.empty() || name.front() == '.' || name.front() == '-' || !std::ranges::all_of(name, allowed)) {
        throw InputError(fmt::format("'{}' is not a name for a model file: use letters, digits, '-', '_' and '.', e.g. "
                                     "`libration new my-model`; the file is written to the current directory",
                                     given));
    }
    return name;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
    return text;
}

std::string text_from(const std::string& problem, const std::string& name) {
    const auto all = embedded_problems();
    const auto found = std::ranges::find(all, std::string_view(problem), &EmbeddedProblem::name);
    if (found == all.end()) {
        std::vector<std::string> names;
        std::ranges::transform(all, std::back_inserter(names), [](const auto& one) { return std::string(one.name); });
        throw InputError(fmt::format("unknown problem '{}'{}", problem, suggestion(problem, names)));
    }
    return replaced(std::string(found->text), fmt::format("name = \"{}\"", problem),
                    fmt::format("name = \"{}\"", name));
}

int write_new_model(const NewRequest& request) {
    const auto name = checked_name(request.name);
    const auto file = name + ".toml";
    const auto text =
        request.from ? text_from(*request.from, name) : replaced(std::string(new_model), "MODEL_NAME", name);
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) {
        throw InputError(fmt::format("{} exists; choose another name, or remove the file first", file));
    }
    write_text_file(file, text);
    if (request.json) {
        fmt::print("{{\"name\": \"{}\", \"file\": \"{}\"}}\n", name, file);
        return success;
    }
    fmt::print("Wrote {0}. Next:\n  libration check {0}\n  libration run {0}\n", file);
    return success;
}

}  // namespace

Command new_command() {
    return make_command<NewRequest>("new", "write a commented model file to start from", new_examples, new_fields,
                                    write_new_model);
}

}  // namespace libration::app
