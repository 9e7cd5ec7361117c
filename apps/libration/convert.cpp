// `libration convert`: a model in the notation of another program.
#include "commands.hpp"
#include "examples.hpp"
#include "latex_document.hpp"

#include "request/assignments.hpp"
#include "text/text_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace libration::app {

namespace {

struct ConvertRequest {
    std::string model;
    std::optional<std::string> to, out;
    std::vector<std::string> set;
    bool overwrite = false, json = false;
};
constexpr std::array convert_fields{
    RequestField<ConvertRequest>{"model", &ConvertRequest::model, "MODEL", "a problem, or a file ending in .toml"},
    RequestField<ConvertRequest>{
        .name = "to", .member = &ConvertRequest::to, .value = "latex", .help = "the format", .fallback = "latex"},
    RequestField<ConvertRequest>{"out", &ConvertRequest::out, "FILE.tex", "write a file instead of printing"},
    RequestField<ConvertRequest>{
        "set", &ConvertRequest::set, "NAME=VALUE",
        "replace a parameter, or an initial value (x, p_x, v_x), of the model; may be repeated"},
    RequestField<ConvertRequest>{"overwrite", &ConvertRequest::overwrite, "", "replace an existing --out file"},
    RequestField<ConvertRequest>{"json", &ConvertRequest::json, "", "print name, format and text as one JSON object"},
};

int convert_model(const ConvertRequest& request) {
    if (request.model.empty()) {
        throw InputError("MODEL is missing; e.g. `libration convert pendulum`");
    }
    if (request.to && *request.to != "latex") {
        throw InputError(fmt::format("unknown format '{}'; the only format is latex", *request.to));
    }
    if (request.overwrite && !request.out) {
        throw InputError("--overwrite belongs to --out FILE.tex");
    }
    if (request.out) {
        refuse_existing(*request.out, request.overwrite);
    }
    const auto model = Model::load(request.model, read_assignments(request.set));
    const auto text = latex_document(model);
    if (request.out) {
        write_text_file(*request.out, text);
    }
    if (request.json) {
        fmt::print("{}\n", nlohmann::ordered_json{{"model", model.name}, {"format", "latex"}, {"text", text}}.dump());
        return success;
    }
    if (!request.out) {
        fmt::print("{}", text);
        return success;
    }
    fmt::print(stderr, "Wrote {0}; `pdflatex {0}` typesets it.\n", *request.out);
    return success;
}

}  // namespace

Command convert_command() {
    return make_command<ConvertRequest>("convert", "write a model and its equations of motion in LaTeX",
                                        convert_examples, convert_fields, convert_model);
}

}  // namespace libration::app
