// Tables of measurements: from named columns, and from CSV files.
#pragma once

#include <libration/gradient/gradient.hpp>

namespace libration {

struct TableColumn {
    std::string name;
    std::vector<double> values;
};

// A column `t`, one for each measured quantity under its name or formula, and standard deviations under sd_NAME.
// InputError.
Measurements measurements_of(const std::vector<TableColumn>& columns);

// A header, then one row for each time; empty cells and nan are gaps, lines that start with # are comments. FileError
// with the line if the file cannot be read or has cells that are not numbers.
Measurements read_measurements(const std::string& path);

}  // namespace libration
