// All analyses by name.
#include "analysis/list.hpp"

#include "text/suggest.hpp"
#include "text/whole_number.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace libration {

std::span<const AnalysisRecord> analyses() {
#define LIBRATION_ANALYSIS_RECORD(name) name##_analysis(),
    static const std::vector<AnalysisRecord> all{LIBRATION_ANALYSES(LIBRATION_ANALYSIS_RECORD)};
#undef LIBRATION_ANALYSIS_RECORD
    return all;
}

const AnalysisRecord& analysis(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& record : analyses()) {
        if (record.name == name) {
            return record;
        }
        names.push_back(record.name);
    }
    throw InputError(fmt::format("unknown analysis '{}'{}\n`libration analyse list` shows all analyses", name,
                                 suggestion(name, names)));
}

namespace {

struct BadRows {
    std::size_t count = 0, first = 0;
};

BadRows rows_not_finite(const Trajectory& trajectory) {
    const auto finite = [](double value) { return std::isfinite(value); };
    BadRows bad;
    for (std::size_t row = trajectory.rows(); row-- > 0;) {
        const auto sample = trajectory.sample(row);
        if (!std::ranges::all_of(sample.q, finite) || !std::ranges::all_of(sample.p, finite) ||
            !finite(sample.energy) || !finite(sample.constraint) || !finite(sample.hidden)) {
            ++bad.count;
            bad.first = row;
        }
    }
    return bad;
}

}  // namespace

AnalysisResult analyse(const Trajectory& trajectory, const std::string& name, const AnalysisOptions& options) {
    const auto& record = analysis(name);
    if (trajectory.rows() < record.least_rows) {
        throw InputError(fmt::format("the run has {} recorded state{}, and the analysis '{}' needs at least {}: record "
                                     "more states, or use 'summary'",
                                     trajectory.rows(), trajectory.rows() == 1 ? "" : "s", name, record.least_rows));
    }
    AnalysisOptions complete;
    std::vector<std::string> known;
    for (const auto& option : record.options) {
        complete[option.name] = option.fallback;
        known.push_back(option.name);
    }
    for (const auto& [option, value] : options) {
        if (!complete.contains(option)) {
            throw InputError(
                fmt::format("the analysis '{}' has no option '{}'{}", name, option, suggestion(option, known)));
        }
        complete[option] = value;
    }
    auto result = record.run(trajectory, complete);
    if (const auto [count, first] = rows_not_finite(trajectory); count > 0) {
        result.warnings.push_back(fmt::format("{} of {} recorded states have non-finite values, the first at t = "
                                              "{:.6g}: results for the whole run are dominated by the blow-up",
                                              count, trajectory.rows(), trajectory.t[first]));
    }
    return result;
}

std::string text_option(const AnalysisOptions& options, const std::string& name) {
    const auto found = options.find(name);
    return found == options.end() ? std::string{} : found->second;
}

double number_option(const AnalysisOptions& options, const std::string& name) {
    const auto text = text_option(options, name);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        throw InputError(fmt::format("option {}={}: expected a number", name, text));
    }
    if (!std::isfinite(value)) {
        throw InputError(fmt::format("option {}={}: expected a finite number", name, text));
    }
    return value;
}

std::int64_t integer_option(const AnalysisOptions& options, const std::string& name) {
    const auto text = text_option(options, name);
    const auto [value, error] = whole_number(text);
    if (error != std::errc{}) {
        throw InputError(fmt::format("option {}={}: expected a whole number", name, text));
    }
    return value;
}

}  // namespace libration
