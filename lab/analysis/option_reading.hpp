// Options that several analyses have: a part of the run, coordinates by name, a number that may be a formula of
// parameters.
#pragma once

#include <libration/analysis/analysis.hpp>

namespace libration {

// Rows first, ..., last - 1.
struct RowRange {
    std::size_t first = 0, last = 0;
    [[nodiscard]] std::size_t count() const { return last - first; }
};

// Of the options `from` and `to`, times; empty: the ends of the run. Before and after are meant along the run.
// InputError if fewer than `least` rows are left.
RowRange rows_option(const Trajectory& trajectory, const AnalysisOptions& options, std::size_t least = 2);
AnalysisRecord::Option from_option();
AnalysisRecord::Option to_option();

// Of the option `row`: the number of a recorded state.
AnalysisRecord::Option row_option(const std::string& meaning);
std::size_t row_of(const Trajectory& trajectory, const AnalysisOptions& options);

// "q4, q5, q6": their numbers; empty: all coordinates.
std::vector<std::size_t> coordinates_option(const Model& model, const AnalysisOptions& options,
                                            const std::string& name);

// A formula over numbers and parameters.
double constant_option(const Trajectory& trajectory, const AnalysisOptions& options, const std::string& name);

// A number as a verdict shows it.
std::string shown(double value);

// A series of a figure, of some rows.
template <class Values>
std::vector<double> part_of(const Values& values, const RowRange& rows) {
    return {values.begin() + static_cast<std::ptrdiff_t>(rows.first),
            values.begin() + static_cast<std::ptrdiff_t>(rows.last)};
}

}  // namespace libration
