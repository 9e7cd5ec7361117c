// Columns by their names, lines with their numbers.
#include <libration/io/read_trajectory.hpp>

#include "text/cells.hpp"
#include "text/shorten.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

namespace libration {

namespace {

[[noreturn]] void fail_at(const std::string& path, std::size_t line, const std::string& problem) {
    throw FileError(fmt::format("{}: line {}: {}", path, line, problem));
}

// What stands in the columns: t, q, p, v, lambda, energy, constraint, hidden, observables.
struct Header {
    std::vector<std::string> columns, coordinates, multipliers, observables;
};

class HeaderReader {
  public:
    HeaderReader(const std::string& path, std::string_view line) : path_(path), columns_(cells_of(line)) {}

    Header read() {
        if (columns_.size() > 1 && columns_[0] == "name" && columns_[1] == "rising") {
            throw InputError(
                fmt::format("{}: a list of events, not a run; give a file of `libration run out=FILE.csv`", path_));
        }
        require("t");
        Header header{.columns = columns_};
        // The coordinates end where the momentum of the first one stands.
        const auto momentum = columns_.size() > 1 ? "p_" + columns_[1] : std::string();
        while (at_ < columns_.size() && columns_[at_] != momentum) {
            header.coordinates.push_back(columns_[at_++]);
        }
        for (const char* prefix : {"p_", "v_"}) {
            for (const auto& name : header.coordinates) {
                require(prefix + name);
            }
        }
        while (at_ < columns_.size() && columns_[at_].starts_with("lambda_")) {
            header.multipliers.push_back(columns_[at_++]);
        }
        for (const char* name : {"energy", "constraint", "hidden"}) {
            require(name);
        }
        header.observables.assign(columns_.begin() + static_cast<std::ptrdiff_t>(at_), columns_.end());
        return header;
    }

  private:
    void require(const std::string& name) {
        if (at_ < columns_.size() && columns_[at_] == name) {
            ++at_;
            return;
        }
        const auto found =
            at_ < columns_.size() ? fmt::format("'{}'", shortened(columns_[at_])) : "the end of the line";
        fail_at(path_, 1,
                fmt::format("expected the column '{}', found {}; give a file that this version of `libration run "
                            "out=FILE.csv` wrote",
                            name, found));
    }

    std::string path_;
    std::vector<std::string> columns_;
    std::size_t at_ = 0;
};

void read_row(const std::string& path, std::size_t line, std::string_view text, const Header& header,
              std::vector<double>& values) {
    values.clear();
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        const auto cell = text.substr(at, end - at);
        double value = 0;
        const auto [rest, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (error != std::errc{} || rest != cell.data() + cell.size()) {
            const auto& columns = header.columns;
            fail_at(path, line,
                    fmt::format("'{}' in the column '{}' is not a number", shortened(cell),
                                values.size() < columns.size() ? columns[values.size()] : "after the last one"));
        }
        values.push_back(value);
        at = end + 1;
    }
    if (values.size() != header.columns.size()) {
        fail_at(path, line,
                fmt::format("{} values for {} columns; the file is truncated or damaged", values.size(),
                            header.columns.size()));
    }
}

void add_row(const std::vector<double>& values, const Header& header, Trajectory& trajectory) {
    const std::size_t n = header.coordinates.size(), m = header.multipliers.size();
    const auto part = [&](std::size_t begin, std::size_t count) { return std::span(values).subspan(begin, count); };
    const std::size_t energy = 1 + 3 * n + m;
    trajectory.add({.step = static_cast<std::int64_t>(trajectory.rows()),
                    .t = values[0],
                    .q = part(1, n),
                    .p = part(1 + n, n),
                    .v = part(1 + 2 * n, n),
                    .lambda = part(1 + 3 * n, m),
                    .observables = part(energy + 3, header.observables.size()),
                    .energy = values[energy],
                    .constraint = values[energy + 1],
                    .hidden = values[energy + 2]});
}

struct Table {
    Header header;
    Trajectory trajectory;
};

Table read_table(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string line;
    const auto next = [&] {
        const bool there = static_cast<bool>(std::getline(file, line));
        if (there && line.ends_with('\r')) {
            line.pop_back();
        }
        return there;
    };
    if (!file || !next()) {
        throw FileError(file.is_open() ? fmt::format("{}: the file is empty", path)
                                       : fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    }
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    Table table{HeaderReader(path, std::string_view(line).substr(line.starts_with(byte_order_mark) ? 3 : 0)).read(),
                {}};
    std::vector<double> values;
    for (std::size_t number = 2; next(); ++number) {
        read_row(path, number, line, table.header, values);
        add_row(values, table.header, table.trajectory);
    }
    if (table.trajectory.rows() == 0) {
        throw InputError(fmt::format("{}: the file holds no states, only the names of its columns", path));
    }
    return table;
}

bool is_plain(const std::string& name) {
    return std::ranges::all_of(name,
                               [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

std::string joined(const std::vector<std::string>& names, std::string_view pattern) {
    std::string text;
    for (const auto& name : names) {
        text += (text.empty() ? "" : ", ") + fmt::format(fmt::runtime(pattern), name);
    }
    return text;
}

// A model file with these names, and nothing that moves.
std::string text_of_names(const Header& header) {
    std::vector<std::string> constraints;
    bool numbered = true;
    for (const auto& name : header.multipliers) {
        constraints.push_back(name.substr(std::string_view("lambda_").size()));
        numbered = numbered && constraints.back() == std::to_string(constraints.size());
    }
    const auto& first = header.coordinates.front();
    std::string text =
        fmt::format("[coordinates]\nq = [{}]\n[dynamics]\nmass = 1\n", joined(header.coordinates, "\"{}\""));
    if (!constraints.empty()) {
        text += numbered ? fmt::format("constraints = [{}]\n", joined(std::vector(constraints.size(), first), "\"{}\""))
                         : fmt::format("constraints = {{ {} }}\n", joined(constraints, "{} = \"" + first + "\""));
    }
    text += "[observables]\n";
    for (const auto& name : header.observables) {
        text += name + " = \"0\"\n";
    }
    return text + fmt::format("[initial]\nq = [{}]\n", joined(header.coordinates, "0"));
}

Model model_of_names(const std::string& path, const Header& header) {
    try {
        for (const auto* names : {&header.coordinates, &header.multipliers, &header.observables}) {
            if (const auto found = std::ranges::find_if_not(*names, is_plain); found != names->end()) {
                throw InputError(fmt::format("'{}' is not the name of one number", *found));
            }
        }
        return Model::parse(text_of_names(header), path);
    } catch (const InputError& error) {
        throw InputError(
            fmt::format("{}: its names have a meaning in their model only ({}); give the model that was run", path,
                        error.mistake().problem));
    }
}

void require_same(const std::string& path, const std::vector<std::string>& found, const std::vector<std::string>& known,
                  std::string_view what) {
    const auto [one, other] = std::ranges::mismatch(found, known);
    if (one == found.end() && other == known.end()) {
        return;
    }
    throw InputError(fmt::format("{}: {}, where the model has {}; give the model that was run, with its `set` values",
                                 path,
                                 one == found.end() ? fmt::format("a {} is missing", what)
                                                    : fmt::format("the {} '{}' is in the file", what, shortened(*one)),
                                 other == known.end() ? "none" : fmt::format("'{}'", *other)));
}

}  // namespace

Trajectory read_csv(const std::string& path) {
    auto table = read_table(path);
    table.trajectory.model = model_of_names(path, table.header);
    return std::move(table.trajectory);
}

Trajectory read_csv(const std::string& path, const Model& model) {
    auto table = read_table(path);
    std::vector<std::string> coordinates, multipliers, observables;
    for (std::size_t k = 0; k < model.dimension; ++k) {
        coordinates.push_back(model.coordinate_name(k));
    }
    for (std::size_t k = 0; k < model.multipliers(); ++k) {
        multipliers.push_back(model.multiplier_name(k));
    }
    for (const auto& observable : model.observables) {
        observables.push_back(observable.name);
    }
    require_same(path, table.header.coordinates, coordinates, "coordinate");
    require_same(path, table.header.multipliers, multipliers, "multiplier");
    require_same(path, table.header.observables, observables, "observable");
    table.trajectory.model = model;
    return std::move(table.trajectory);
}

}  // namespace libration
