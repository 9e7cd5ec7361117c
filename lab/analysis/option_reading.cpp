// Texts to rows, coordinates and numbers.
#include "analysis/option_reading.hpp"

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include "integrate/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

AnalysisRecord::Option from_option() { return {"from", "", "ignore everything before this time"}; }
AnalysisRecord::Option to_option() { return {"to", "", "ignore everything after this time"}; }

AnalysisRecord::Option row_option(const std::string& meaning) { return {"row", "0", meaning}; }

std::size_t row_of(const Trajectory& trajectory, const AnalysisOptions& options) {
    const auto row = integer_option(options, "row");
    if (row < 0 || row >= static_cast<std::int64_t>(trajectory.rows())) {
        throw InputError(fmt::format("option row={}: the run has the rows 0 to {}", row, trajectory.rows() - 1));
    }
    return static_cast<std::size_t>(row);
}

RowRange rows_option(const Trajectory& trajectory, const AnalysisOptions& options, std::size_t least) {
    RowRange rows{0, trajectory.rows()};
    // A time written as the user knows it may miss the node by its rounding.
    const double slack = 1e-9 * (trajectory.options.step != 0 ? std::abs(trajectory.options.step) : 1);
    // Before and after are meant along the run, so that times rise with it.
    const double sign = trajectory.t.back() < trajectory.t.front() ? -1 : 1;
    const auto along = [sign](double t) { return sign * t; };
    if (!text_option(options, "from").empty()) {
        const double from = along(number_option(options, "from")) - slack;
        const auto found = std::ranges::lower_bound(trajectory.t, from, {}, along);
        rows.first = static_cast<std::size_t>(found - trajectory.t.begin());
    }
    if (!text_option(options, "to").empty()) {
        const double to = along(number_option(options, "to")) + slack;
        const auto found = std::ranges::upper_bound(trajectory.t, to, {}, along);
        rows.last = static_cast<std::size_t>(found - trajectory.t.begin());
    }
    if (rows.last < rows.first + least) {
        const std::size_t left = rows.last > rows.first ? rows.count() : 0;
        throw InputError(
            fmt::format("only {} recorded states are in the chosen time interval, and {} are needed: choose a longer "
                        "part of the run (t = {} to {}), or record more often with a smaller `every`",
                        left, least, trajectory.t.front(), trajectory.t.back()));
    }
    return rows;
}

std::vector<std::size_t> coordinates_option(const Model& model, const AnalysisOptions& options,
                                            const std::string& name) {
    std::vector<std::size_t> numbers;
    const auto text = text_option(options, name);
    if (text.empty()) {
        for (std::size_t k = 0; k < model.dimension; ++k) {
            numbers.push_back(k);
        }
        return numbers;
    }
    // Names such as r[1].x or bond[0,4] hold commas of their own.
    std::string item;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        depth += c == '[' ? 1 : (c == ']' ? -1 : 0);
        if (c != ',' || (depth > 0 && i < text.size())) {
            if (c != ' ') {
                item += c;
            }
            continue;
        }
        const auto number = model.coordinate_number(item);
        if (!number) {
            std::vector<std::string> known;
            for (std::size_t k = 0; k < model.dimension; ++k) {
                known.push_back(model.coordinate_name(k));
            }
            throw InputError(
                fmt::format("option {}: the model has no coordinate '{}'{}", name, item, suggestion(item, known)));
        }
        if (std::ranges::find(numbers, *number) != numbers.end()) {
            throw InputError(fmt::format("option {}: the coordinate '{}' is given twice", name, item));
        }
        numbers.push_back(*number);
        item.clear();
    }
    return numbers;
}

double constant_option(const Trajectory& trajectory, const AnalysisOptions& options, const std::string& name) {
    const auto text = text_option(options, name);
    if (text.empty()) {
        throw InputError(fmt::format("option {} is missing: a number, or a formula of parameters of the model", name));
    }
    Quantity quantity(trajectory.model, text, fmt::format("option {}", name));
    const auto at = [&](std::size_t row) { return quantity.value(trajectory.sample(row), trajectory.energy.front()); };
    const double value = at(0);
    if (!std::isfinite(value) || value != at(trajectory.rows() - 1)) {
        throw InputError(
            fmt::format("option {}={}: expected a number, or a formula of parameters of the model", name, text));
    }
    return value;
}

std::string shown(double value) { return std::isnan(value) ? "not a number" : fmt::format("{:.4g}", value); }

}  // namespace libration
