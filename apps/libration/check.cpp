// `libration check`.
#include "commands.hpp"
#include "examples.hpp"
#include "terminal.hpp"

#include "analysis/check_facts.hpp"
#include "analysis/json.hpp"
#include "request/assignments.hpp"
#include "request/study_request.hpp"

#include <fmt/format.h>

namespace libration::app {

namespace {

int check_model(const CheckRequest& request) {
    if (request.model.empty()) {
        throw InputError("MODEL is missing; e.g. `libration check pendulum`");
    }
    const auto model = Model::load(request.model, read_assignments(request.set));
    auto result = check(model, {.project = request.project});
    result.faults = said(result.faults);
    result.warnings = said(result.warnings);
    if (request.json) {
        fmt::print("{}\n", json_of(result));
        return result.faults.empty() ? success : bad_usage;
    }
    fmt::print("{}  {}\n", bold(result.name, stdout),
               result.faults.empty() ? green("ready to run", stdout) : red("not ready", stdout));
    for (const auto& [label, text] : check_facts(result, model)) {
        fmt::print("  {:<18}{}\n", label, text);
    }
    for (const auto& warning : result.warnings) {
        fmt::print(stderr, "\n{} {}\n", bold("warning:", stderr), warning);
    }
    for (const auto& fault : result.faults) {
        fmt::print(stderr, "\n{} {}\n", red("error:", stderr), fault);
    }
    return result.faults.empty() ? success : bad_usage;
}

}  // namespace

Command check_command() {
    return make_command<CheckRequest>("check",
                                      "validate a model: names, sizes, constraint rank, initial values, derivatives",
                                      check_examples, model_check_fields, check_model);
}

}  // namespace libration::app
