// The list of analyses of a recorded run: what `libration analyse FILE.h5 --what NAME` and recipes of `libration
// reproduce` can do. Each is known by name and takes options as text.
#pragma once

#include <libration/integrate/trajectory.hpp>
#include <libration/plot/figure.hpp>

#include <functional>
#include <map>
#include <span>

namespace libration {

// name = value, as the user wrote them; an analysis refuses names that it does not know.
using AnalysisOptions = std::map<std::string, std::string>;

struct AnalysisNumber {
    std::string name;  // an identifier: slope, exponent_1
    double value = 0;
    std::string meaning;  // for people: "least-squares slope of H, per unit of time"
};

struct AnalysisResult {
    std::string what;
    std::string verdict;  // one sentence, e.g. "bounded: no trend in 10,000 periods"
    std::vector<AnalysisNumber> numbers;
    std::vector<plot::Figure> figures;
    std::vector<std::string> warnings;
};

struct AnalysisRecord {
    std::string name;     // as in --what
    std::string summary;  // one line
    struct Option {
        std::string name, fallback, meaning;  // fallback: the value if it is not given; "" : it must be, or is found
    };
    std::vector<Option> options;
    std::function<AnalysisResult(const Trajectory&, const AnalysisOptions&)> run;
    std::size_t least_rows = 2;  // recorded states that it needs
    // What it needs besides: nothing, the model, or also the method and the step size, to integrate again.
    enum class Needs { states, model, run };
    Needs needs = Needs::run;
};

// In the order of the list, lab/analysis/list.hpp.
std::span<const AnalysisRecord> analyses();
// InputError with suggestions.
const AnalysisRecord& analysis(const std::string& name);
// Checks the names of the options, fills in fallbacks, runs.
AnalysisResult analyse(const Trajectory& trajectory, const std::string& name, const AnalysisOptions& options = {});

// Of options, for the analyses themselves. InputError that names the option.
double number_option(const AnalysisOptions& options, const std::string& name);
std::int64_t integer_option(const AnalysisOptions& options, const std::string& name);
std::string text_option(const AnalysisOptions& options, const std::string& name);  // "" if there is none

}  // namespace libration
