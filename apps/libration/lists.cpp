// `methods`, `problems` and `check`.
#include "commands.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include <libration/analysis/check_facts.hpp>
#include <libration/io/json.hpp>
#include <libration/methods/family_claims.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration::app {

namespace {

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width = 120) {
    std::string result;
    std::size_t column = indent;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto end = std::min(text.find(' ', at), text.size());
        if (column + (end - at) > width && column > indent) {
            result += '\n' + std::string(indent, ' ');
            column = indent;
        }
        result += (column > indent ? " " : "") + text.substr(at, end - at);
        column += end - at + 1;
        at = end + 1;
    }
    return result;
}

std::string shown_name(const MethodRecord& record) { return std::string(record.name) + std::string(record.parameters); }

}  // namespace

int methods_command(bool json) {
    if (json) {
        fmt::print("{}\n", json_of_methods());
        return success;
    }
    std::size_t width = 0;
    for (const auto* record : methods()) {
        width = std::max(width, shown_name(*record).size());
    }
    width += 2;
    fmt::print("{}\n", bold(fmt::format("{:<{}}{:<7}{:<11}{:<12}{}", "method", width, "order", "symmetric",
                                        "symplectic", "what it is"),
                            stdout));
    for (const auto* record : methods()) {
        const auto claims = family_claims(*record);
        fmt::print("{:<{}}{:<7}{:<11}{:<12}{}\n", shown_name(*record), width, claims.order, claims.symmetric,
                   claims.symplectic, wrapped(std::string(record->summary), width + 30));
    }
    return success;
}

int problems_command(bool json) {
    if (json) {
        fmt::print("{}\n", json_of_problems());
        return success;
    }
    fmt::print("{}\n",
               bold(fmt::format("{:<23}{:>6}{:>13}  {}", "problem", "coord.", "constraints", "what it is"), stdout));
    for (const auto& problem : problems()) {
        fmt::print("{:<23}{:>6}{:>13}  {}\n", problem.name, problem.dimension, problem.constraints,
                   wrapped(problem.description, 44));
    }
    fmt::print(
        "\nRun one with 'libration run NAME'; its file is a model to start from (see share/libration/problems).\n");
    return success;
}

int check_command(const std::string& model_name, const std::vector<std::string>& assignments, bool json) {
    const auto model = Model::load(model_name, read_assignments(assignments));
    const auto result = check(model);
    if (json) {
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

}  // namespace libration::app
