// Columns by their names, rows with their lines.
#include "measurement_table.hpp"

#include "text/cells.hpp"
#include "text/shorten.hpp"
#include "text/suggest.hpp"
#include "text/trim.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>

namespace libration {

namespace {

constexpr std::string_view sd_prefix = "sd_";

[[noreturn]] void fail_in_line(const std::string& path, std::size_t line, const std::string& problem) {
    throw FileError(fmt::format("{}: line {}: {}", path, line, problem));
}

std::vector<std::string> trimmed_cells(std::string_view line) {
    auto cells = cells_of(line);
    for (auto& cell : cells) {
        cell = trimmed(cell);
    }
    return cells;
}

// Nothing: it is not a number.
std::optional<double> number_in(std::string_view cell) {
    std::string small(cell);
    std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (small.empty() || small == "nan" || small == "na") {
        return NAN;
    }
    if (cell.starts_with('+')) {
        cell.remove_prefix(1);
    }
    double value = 0;
    const auto [rest, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc{} && rest == cell.data() + cell.size() ? std::optional(value) : std::nullopt;
}

void add_line(const std::string& path, std::size_t number, const std::string& line, std::vector<TableColumn>& columns) {
    const auto cells = trimmed_cells(line);
    if (cells.size() != columns.size()) {
        fail_in_line(path, number,
                     fmt::format("{} values for {} columns; leave cells empty where nothing was measured", cells.size(),
                                 columns.size()));
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const auto value = number_in(cells[k]);
        if (!value) {
            fail_in_line(path, number,
                         fmt::format("'{}' in the column '{}' is not a number", shortened(cells[k]), columns[k].name));
        }
        columns[k].values.push_back(*value);
    }
}

void require_distinct(const std::vector<TableColumn>& columns) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto same = [&](const TableColumn& other) { return other.name == columns[k].name; };
        if (std::any_of(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(k), same)) {
            throw InputError({.argument = "data",
                              .problem = fmt::format("two columns are named '{}'", columns[k].name),
                              .remedy = "rename or remove one"});
        }
    }
}

}  // namespace

Measurements measurements_of(const std::vector<TableColumn>& columns) {
    require_distinct(columns);
    Measurements data;
    const auto times = std::ranges::find(columns, "t", &TableColumn::name);
    std::vector<std::string> names;
    for (const auto& column : columns) {
        names.push_back(column.name);
    }
    if (times == columns.end()) {
        throw InputError({.argument = "data",
                          .problem = fmt::format("the table has no column 't' of times; its columns are {}",
                                                 names.empty() ? "missing" : fmt::format("{}", fmt::join(names, ", "))),
                          .remedy = "name the column of times 't'"});
    }
    data.t = times->values;
    for (const auto& column : columns) {
        if (column.name != "t" && !column.name.starts_with(sd_prefix)) {
            data.columns.push_back({column.name, column.values, {}});
        }
    }
    std::erase_if(names, [](const std::string& name) { return name == "t" || name.starts_with(sd_prefix); });
    for (const auto& column : columns) {
        if (!column.name.starts_with(sd_prefix)) {
            continue;
        }
        const auto own = column.name.substr(sd_prefix.size());
        const auto found = std::ranges::find(data.columns, own, &Measurements::Column::formula);
        if (found == data.columns.end()) {
            throw InputError({.argument = "data",
                              .problem = fmt::format("the column '{}' has standard deviations, but there is no column "
                                                     "'{}'{}",
                                                     column.name, own, suggestion(own, names))});
        }
        found->sd = column.values;
    }
    return data;
}

Measurements read_measurements(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw FileError(fmt::format("{}: {}", path, errno != 0 ? std::strerror(errno) : "cannot be read"));
    }
    std::vector<TableColumn> columns;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
        constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
        if (number == 1 && line.starts_with(byte_order_mark)) {
            line.erase(0, byte_order_mark.size());
        }
        const auto text = trimmed(line);
        if (text.empty() || text.starts_with('#')) {
            continue;
        }
        if (columns.empty()) {
            for (auto& name : trimmed_cells(line)) {
                if (name.empty()) {
                    fail_in_line(path, number, "a column has no name");
                }
                columns.push_back({std::move(name), {}});
            }
        } else {
            add_line(path, number, line, columns);
        }
    }
    if (file.bad()) {
        throw FileError(fmt::format("{}: {}", path, std::strerror(errno)));
    }
    if (columns.empty()) {
        throw FileError(fmt::format("{}: the file is empty; give a header t,NAME,... and rows of numbers", path));
    }
    return measurements_of(columns);
}

}  // namespace libration
