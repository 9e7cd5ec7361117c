// Loading models, names of rows and columns, the catalogue.
#include <libration/model/model.hpp>

#include "carried.hpp"
#include "definitions.hpp"
#include "reader.hpp"
#include "row_names.hpp"
#include "table_text.hpp"

#include "embedded.hpp"
#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace libration {

namespace {

std::string read_text_file(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        throw FileError(fmt::format("{} is a directory, not a model file", path));
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw FileError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    }
    // Model files with tables may be long: read in blocks, without a second copy.
    std::string text;
    std::array<char, 65536> block{};
    while (file.read(block.data(), block.size()) || file.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    }
    return text;
}

}  // namespace

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

Model Model::load(const std::string& name_or_path, const std::vector<std::pair<std::string, std::string>>& overrides) {
    if (name_or_path.ends_with(".toml") || name_or_path.find('/') != std::string::npos) {
        return parse(read_text_file(name_or_path), name_or_path, overrides);
    }
    std::vector<std::string> names;
    for (const auto& problem : embedded_problems()) {
        if (problem.name == name_or_path) {
            return parse(std::string(problem.text), name_or_path, overrides);
        }
        names.emplace_back(problem.name);
    }
    throw InputError(fmt::format("unknown problem '{}'{}\nA model file ends in .toml or contains a '/'.", name_or_path,
                                 suggestion(name_or_path, names, 40)));
}

Model Model::parse(const std::string& text, const std::string& source_name,
                   const std::vector<std::pair<std::string, std::string>>& overrides,
                   std::shared_ptr<const ExternalFunctions> external) {
    const auto source = std::make_shared<const Source>(Source{source_name, text});
    const auto document = read_document(source);
    Model model =
        ModelReader(document, overrides, std::filesystem::path(source_name).stem().string()).read(std::move(external));
    model.text = with_inline_tables(text, document, model);
    model.text_name = source_name;
    return model;
}

std::string Model::coordinate_name(std::size_t k) const {
    if (k < plain_coordinates.size()) {
        return plain_coordinates[k];
    }
    for (const auto& group : points) {
        const auto local = k - group.first;
        if (k >= group.first && local < group.count * group.dimension) {
            return fmt::format("{}[{}].{}", group.name, local / group.dimension, "xyz"[local % group.dimension]);
        }
    }
    // Bodies are in the order of their coordinates.
    const auto body = std::ranges::upper_bound(bodies, k, {}, &Body::end);
    if (body != bodies.end() && k >= body->centre.value_or(body->first)) {
        return body_coordinate_name(*body, k);
    }
    return "?";
}

std::vector<Expression> Model::coordinate_symbols(std::string_view prefix) const {
    std::vector<Expression> symbols;
    for (std::size_t k = 0; k < dimension; ++k) {
        symbols.push_back(symbol(std::string(prefix) + coordinate_name(k)));
    }
    return symbols;
}

std::optional<std::size_t> Model::coordinate_number(const std::string& wanted) const {
    if (const auto plain = plain_numbers.find(wanted); plain != plain_numbers.end()) {
        return plain->second;
    }
    for (const auto& group : points) {
        const auto bracket = wanted.find("].");
        if (!wanted.starts_with(group.name + '[') || bracket == std::string::npos) {
            continue;
        }
        std::size_t point = 0;
        const char* first = wanted.data() + group.name.size() + 1;
        std::from_chars(first, wanted.data() + bracket, point);
        const auto component = std::string_view("xyz").find(wanted.back());
        if (point < group.count && component < group.dimension) {
            return group.first + point * group.dimension + component;
        }
    }
    const auto dot = wanted.find('.');
    const auto number = dot == std::string::npos ? body_numbers.end() : body_numbers.find(wanted.substr(0, dot));
    if (number != body_numbers.end()) {
        const auto& body = bodies[number->second];
        for (std::size_t k = body.centre.value_or(body.first); k < body.end(); ++k) {
            if (body_coordinate_name(body, k) == wanted) {
                return k;
            }
        }
    }
    return std::nullopt;
}

Expression Model::formula(const std::string& formula_text, const std::string& what) const {
    const auto numbers = numbers_of(*this);
    const auto known = definitions_of(*this, formula_text);
    ModelScope scope(*this, numbers, whole_state(*this));
    scope.use(known);
    return libration::parse(formula_text, scope, {}, what);
}

namespace {

// Of a row of external functions: its name, where it has one.
const std::string* external_name(const Model& model, std::size_t row) {
    const auto& names = model.external->constraints->names;
    return names.empty() ? nullptr : &names[row - (model.constraint_rows - model.external_rows())];
}

bool is_external(const Model& model, std::size_t row) {
    return row >= model.constraint_rows - model.external_rows() && row < model.constraint_rows;
}

const Constraint& family_of(const Model& model, std::size_t row) {
    const auto end_of = [](const Constraint& c) { return c.first_row + c.term.formula.instances; };
    return *std::ranges::upper_bound(model.constraints, row, {}, end_of);
}

std::string instance_suffix(const Constraint& constraint, std::size_t row) {
    if (!constraint.family) {
        return {};
    }
    std::string text;
    for (const auto& column : constraint.term.origin->columns) {
        text += (text.empty() ? "[" : ",") + std::to_string(column[row - constraint.first_row]);
    }
    return text + ']';
}

// Without numbers of rows in tables.
std::string name_of(const Constraint& constraint, std::size_t row) {
    return constraint.row_names.empty() ? with_indices(constraint.name, instance_suffix(constraint, row))
                                        : constraint.row_names[row - constraint.first_row];
}

std::string multiplier_of(const Constraint& constraint, std::size_t row) {
    return "lambda_" + (constraint.numbered ? std::to_string(row + 1) : name_of(constraint, row));
}

}  // namespace

std::string Model::constraint_name(std::size_t row) const {
    if (carried) {
        return carried->whole.constraint_name(row_of_whole(*this, row));
    }
    if (row >= constraint_rows) {
        return nonholonomic[row - constraint_rows].name;
    }
    if (is_external(*this, row)) {
        const auto* given = external_name(*this, row);
        return given != nullptr ? *given : fmt::format("g{}", row + 1);
    }
    const auto& constraint = family_of(*this, row);
    const auto& table = constraint.term.origin->table;
    // Rows of a table may be equal, and are then told apart by their numbers.
    return name_of(constraint, row) +
           (table.empty() ? "" : fmt::format(" in row {} of {}", row - constraint.first_row + 1, table));
}

std::string Model::multiplier_name(std::size_t row) const {
    if (carried) {
        return carried->whole.multiplier_name(row_of_whole(*this, row));
    }
    if (row >= constraint_rows) {
        const auto& rolling = nonholonomic[row - constraint_rows];
        return "lambda_" + (rolling.numbered ? std::to_string(row + 1) : rolling.name);
    }
    if (is_external(*this, row)) {
        const auto* given = external_name(*this, row);
        return "lambda_" + (given != nullptr ? *given : std::to_string(row + 1));
    }
    return multiplier_of(family_of(*this, row), row);
}

std::vector<Expression> Model::multiplier_symbols() const {
    std::vector<Expression> symbols;
    if (carried) {
        for (std::size_t row = 0; row < multipliers(); ++row) {
            symbols.push_back(symbol(multiplier_name(row)));
        }
        return symbols;
    }
    for (const auto& constraint : constraints) {
        for (std::size_t k = 0; k < constraint.term.formula.instances; ++k) {
            symbols.push_back(symbol(multiplier_of(constraint, constraint.first_row + k)));
        }
    }
    for (std::size_t row = constraint_rows - external_rows(); row < multipliers(); ++row) {
        symbols.push_back(symbol(multiplier_name(row)));
    }
    return symbols;
}

const Model& Model::with_all_rows() const { return carried ? carried->whole : *this; }

std::vector<ProblemFact> problems() {
    std::vector<ProblemFact> facts;
    for (const auto& problem : embedded_problems()) {
        const auto model = Model::load(std::string(problem.name));
        facts.push_back(
            {std::string(problem.name), model.dimension, model.multipliers(), model.source, model.description});
    }
    return facts;
}

}  // namespace libration
