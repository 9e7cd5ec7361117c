// The models of an item: energy, constraints and equations of motion, typeset.
#include "mathml.hpp"
#include "pages.hpp"

#include <libration/model/to_text.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration::html {

namespace {

// Nothing where the text is not a model, as in the items of tests and of damaged recipes.
std::string equations_of(const ItemCommand& command) {
    try {
        const auto model = command.model_text.empty() ? Model::load(command.model_name)
                                                      : Model::parse(command.model_text, command.model_name);
        return mathml_of_lines(latex_equations(model));
    } catch (const InputError&) {
        return "";
    }
}

}  // namespace

std::string model_section(const ItemResult& item) {
    std::vector<std::string> shown;
    std::string html;
    for (const auto& command : item.commands) {
        const auto file = model_file(command);
        if (file.empty() || std::ranges::find(shown, file) != shown.end()) {
            continue;
        }
        shown.push_back(file);
        if (const auto equations = equations_of(command); !equations.empty()) {
            html += fmt::format("<details{}><summary>{}</summary>\n{}</details>\n",
                                html.empty() ? " open=\"open\"" : "", escaped(command.model_name), equations);
        }
    }
    return html.empty() ? "" : "<h2>Equations of motion</h2>\n" + html;
}

}  // namespace libration::html
