// `methods`, `problems` and `check`.
#include "commands.hpp"
#include "terminal.hpp"

#include <libration/analysis/check.hpp>
#include <libration/io/json.hpp>
#include <libration/methods/method.hpp>

#include <fmt/format.h>

namespace libration::app {

namespace {

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width = 110) {
    std::string result;
    std::size_t column = indent;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto end = std::min(text.find(' ', at), text.size());
        if (column + (end - at) > width && column > indent) {
            result += '\n' + std::string(indent, ' ');
            column = indent;
        }
        result += text.substr(at, end - at) + ' ';
        column += end - at + 1;
        at = end + 1;
    }
    return result;
}

}  // namespace

int methods_command(bool json) {
    if (json) {
        fmt::print("{}\n", json_of_methods());
        return success;
    }
    fmt::print("{}\n", bold(fmt::format("{:<12}{:<7}{:<11}{:<12}{}", "method", "order", "symmetric", "symplectic",
                                        "what it is"),
                            stdout));
    for (const auto* record : methods()) {
        const auto claims = method(examples(*record).front()).claims();
        fmt::print("{:<12}{:<7}{:<11}{:<12}{}\n", std::string(record->name) + std::string(record->parameters),
                   claims.order, claims.symmetric ? "yes" : "no",
                   !claims.symplectic ? "no claim" : (*claims.symplectic ? "yes" : "no"),
                   wrapped(std::string(record->summary), 42));
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
    const auto line = [](const char* label, const std::string& text) { fmt::print("  {:<18}{}\n", label, text); };
    fmt::print("{}  {}\n", bold(result.name, stdout),
               result.faults.empty() ? green("ready to run", stdout) : red("not ready", stdout));
    line("coordinates", fmt::format("{}", result.dimension));
    line("constraints", fmt::format("{}, rank of G at the start {}", result.constraints, result.rank));
    line("terms", fmt::format("{}", result.terms));
    line("energy", model.field ? "none: the equations are a field without H"
                               : fmt::format("{:.15g} at the initial values", result.energy));
    line("residuals",
         fmt::format("largest |g| = {:.1e}, largest |G v| = {:.1e}", result.position_residual, result.hidden_residual));
    line("derivatives", fmt::format("agree with dual numbers to {:.1e} (relative)", result.derivative_error));
    for (const auto& fault : result.faults) {
        fmt::print(stderr, "\n{} {}\n", red("error:", stderr), fault);
    }
    return result.faults.empty() ? success : bad_usage;
}

}  // namespace libration::app
