// `analyse`: numbers and figures from a recorded run.
#include "commands.hpp"
#include "examples.hpp"
#include "terminal.hpp"

#include "analysis/json.hpp"
#include "request/assignments.hpp"
#include "request/study_request.hpp"
#include "text/suggest.hpp"
#include "text/text_file.hpp"
#include <libration/analysis/analysis.hpp>
#include <libration/io/read_trajectory.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration::app {

namespace {

struct Chosen {
    const AnalysisRecord* record = nullptr;
    AnalysisOptions options;

    [[nodiscard]] bool knows(const std::string& option) const {
        return std::ranges::any_of(record->options, [&](const auto& known) { return known.name == option; });
    }
};

std::vector<Chosen> chosen_analyses(const std::string& names) {
    std::vector<Chosen> chosen;
    for (std::size_t at = 0; at <= names.size();) {
        const auto end = std::min(names.find(',', at), names.size());
        auto name = names.substr(at, end - at);
        std::erase(name, ' ');
        const auto* record = &analysis(name);
        if (std::ranges::any_of(chosen, [&](const Chosen& other) { return other.record == record; })) {
            throw InputError(fmt::format("--what {}: '{}' is given twice", names, name));
        }
        chosen.push_back({record, {}});
        at = end + 1;
    }
    return chosen;
}

// An option goes to every chosen analysis that knows it, and to one at least.
void give_option(std::vector<Chosen>& chosen, const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw InputError(
            fmt::format("--option {}: expected NAME=VALUE; 'libration analyse --list' shows the names", text));
    }
    const auto name = text.substr(0, equals);
    bool taken = false;
    for (auto& one : chosen) {
        if (one.knows(name)) {
            if (!one.options.emplace(name, text.substr(equals + 1)).second) {
                throw InputError(fmt::format("--option {}: '{}' is given twice", text, name));
            }
            taken = true;
        }
    }
    if (taken) {
        return;
    }
    std::vector<std::string> known, names;
    for (const auto& one : chosen) {
        names.push_back(one.record->name);
        for (const auto& option : one.record->options) {
            known.push_back(option.name);
        }
    }
    const auto others = known.empty() ? std::string("; it has none") : suggestion(name, known);
    throw InputError(names.size() == 1
                         ? fmt::format("the analysis '{}' has no option '{}'{}", names.front(), name, others)
                         : fmt::format("none of the chosen analyses has an option '{}'{}", name, others));
}

void check_analyse_arguments(const AnalyseRequest& request) {
    if (request.file.empty()) {
        throw InputError("FILE.h5 is missing; e.g. 'libration analyse run.h5 --what summary', with a file written by "
                         "'libration run --out run.h5' (or run.csv); 'libration analyse --list' shows the analyses");
    }
    if (request.plot) {
        refuse_existing(*request.plot, request.overwrite);
    }
}

void print_result(const AnalysisResult& result) {
    fmt::print("\n{}  {}\n", bold(result.what, stdout), result.verdict);
    std::size_t name_width = 0, value_width = 0;
    std::vector<std::string> values;
    for (const auto& number : result.numbers) {
        values.push_back(std::isnan(number.value) ? "not a number" : fmt::format("{:.8g}", number.value));
        name_width = std::max(name_width, number.name.size());
        value_width = std::max(value_width, values.back().size());
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto& number = result.numbers[i];
        fmt::print("  {:<{}}  {:>{}}  {}\n", number.name, name_width, values[i], value_width, number.meaning);
    }
    for (const auto& warning : result.warnings) {
        fmt::print("  {} {}\n", red("warning:", stdout), warning);
    }
}

void write_figures(const std::string& path, const std::vector<AnalysisResult>& results, bool say) {
    std::vector<plot::Figure> figures;
    for (const auto& result : results) {
        figures.insert(figures.end(), result.figures.begin(), result.figures.end());
    }
    if (figures.empty()) {
        fmt::print(stderr, "{} these analyses produce no figure; {} was not written\n", red("warning:", stderr), path);
        return;
    }
    constexpr int most_columns = 2;  // a page that is wider than two figures is read on no screen
    write_text_file(path, plot::to_svg(figures, most_columns));
    if (say) {
        fmt::print("\n  Figure{}: {}\n", figures.size() > 1 ? "s" : "", path);
    }
}

// Every analysis with its options.
std::string analyses_text() {
    std::size_t width = 0;
    for (const auto& record : analyses()) {
        width = std::max(width, record.name.size());
        for (const auto& option : record.options) {
            width = std::max(width, option.name.size() + 2);
        }
    }
    std::string text;
    for (const auto& record : analyses()) {
        text += fmt::format("  {:<{}}  {}\n", record.name, width, record.summary);
        for (const auto& option : record.options) {
            const auto fallback = option.fallback.empty() ? "" : fmt::format(" (default: {})", option.fallback);
            text += fmt::format("    {:<{}}  {}{}\n", option.name, width - 2, said(option.meaning), fallback);
        }
    }
    return text;
}

bool is_table(const AnalyseRequest& request) { return request.file.ends_with(".csv"); }

// A CSV file has the states alone; what more an analysis needs must be given, or is not to be had.
Trajectory recorded(const AnalyseRequest& request, const std::vector<Chosen>& chosen) {
    if (!is_table(request)) {
        if (request.model || !request.set.empty()) {
            throw InputError(fmt::format("{} holds its model; omit --model and --set", request.file));
        }
        return read_trajectory(request.file);
    }
    using Needs = AnalysisRecord::Needs;
    for (const auto& one : chosen) {
        if (one.record->needs == Needs::run) {
            throw InputError(fmt::format("the analysis '{}' needs the method and the step size of the run, which a CSV "
                                         "file does not hold; record the run with --out FILE.h5",
                                         one.record->name));
        }
        if (one.record->needs == Needs::model && !request.model) {
            throw InputError(
                fmt::format("the analysis '{}' needs the model of the run, which a CSV file does not hold; "
                            "add --model MODEL, and --set NAME=VALUE as in the run",
                            one.record->name));
        }
    }
    if (!request.model && !request.set.empty()) {
        throw InputError("--set replaces values of a model; add --model MODEL");
    }
    return request.model ? read_csv(request.file, Model::load(*request.model, read_assignments(request.set)))
                         : read_csv(request.file);
}

int start_analyse(const AnalyseRequest& request) {
    if (request.list) {
        fmt::print("{}", request.json ? said(json_of_analyses()) + "\n" : analyses_text());
        return success;
    }
    check_analyse_arguments(request);
    auto chosen = chosen_analyses(request.what.value_or("summary"));
    for (const auto& option : request.options) {
        give_option(chosen, option);
    }
    const auto trajectory = recorded(request, chosen);
    const bool has_model = !is_table(request) || request.model;
    AnalysisReport report{request.file, has_model ? trajectory.model.name : "", trajectory.method, {}};
    for (const auto& one : chosen) {
        report.results.push_back(analyse(trajectory, one.record->name, one.options));
        report.results.back().what = one.record->name;
    }
    if (request.json) {
        fmt::print("{}\n", json_of(report));
    } else {
        fmt::print("{}{}{}{}{}\n", bold(report.file, stdout), has_model ? "  " : "", report.model,
                   report.method.empty() ? "" : ", ", report.method);
        std::ranges::for_each(report.results, print_result);
    }
    if (request.plot) {
        write_figures(*request.plot, report.results, !request.json);
    }
    return success;
}

}  // namespace

Command analyse_command() {
    return make_command<AnalyseRequest>(
        "analyse", "analyse a recorded run: energy drift, Lyapunov exponents, averages, phase portraits",
        fmt::format("Analyses and their options:\n{}\n{}", analyses_text(), analyse_examples), analyse_fields,
        start_analyse);
}

}  // namespace libration::app
