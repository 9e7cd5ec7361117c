// [tables]: functions given by values.
#include "reader.hpp"

#include "table_file.hpp"
#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <filesystem>

namespace libration {

namespace {

// Values of a table are constants: what is written once must not change with a parameter.
class ConstantScope final : public Scope {
  public:
    std::optional<Value> name(std::string_view name) override {
        throw std::invalid_argument(
            fmt::format("a table holds numbers, and '{}' is a name; use it in the formula, as in {}*interp(profile, t)",
                        name, name));
    }
    std::optional<Value> element(std::string_view given, const Expression&) override { return name(given); }
    Value sum(const std::string&, const Expression&, const Expression&, const std::function<Value(Scope&)>&) override {
        throw std::invalid_argument("a table holds numbers, not sums");
    }
    [[nodiscard]] std::vector<std::string> names() const override { return {}; }
};

Table::Kind kind_of(const Document& table) {
    const auto* const kind = table.find("kind");
    if (kind == nullptr || kind->text == "linear") {
        return Table::Kind::linear;
    }
    if (kind->kind != Document::Kind::text || kind->text != "cubic") {
        const std::array<std::string, 2> known{"linear", "cubic"};
        kind->fail(kind->kind == Document::Kind::text
                       ? fmt::format("unknown kind of interpolation '{}'{}", kind->text, suggestion(kind->text, known))
                       : fmt::format("'kind' must be \"linear\" or \"cubic\", not {}", name(kind->kind)));
    }
    return Table::Kind::cubic;
}

// Relative to the model file, where there is one.
std::string path_of(const Document& file) {
    const std::filesystem::path given(file.text);
    const auto& source = file.place.source;
    const bool in_file = source && !source->is_argument;
    return in_file && given.is_relative() ? (std::filesystem::path(source->name).parent_path() / given).string()
                                          : given.string();
}

std::vector<Expression> column(const Document& values, const std::string& what, std::vector<Place>& places) {
    if (values.kind != Document::Kind::list) {
        values.fail(fmt::format("{} must be a list of numbers, not {}", what, name(values.kind)));
    }
    ConstantScope scope;
    std::vector<Expression> numbers;
    for (const auto& item : values.items) {
        numbers.push_back(formula_of(item, scope, what));
        places.push_back(item.place);
    }
    return numbers;
}

}  // namespace

void ModelReader::read_tables() {
    const auto* section = document_.find("tables");
    if (section == nullptr) {
        return;
    }
    for (const auto& [name, value] : section->entries) {
        const auto where = fmt::format("`[tables] {}`", name);
        if (value.kind != Document::Kind::table) {
            value.fail(
                fmt::format("{} must be a table such as {{ x = [0, 1, 2], y = [0, 5, 0], kind = \"linear\" }}", where));
        }
        value.allow_only(std::array<std::string, 4>{"x", "y", "file", "kind"}, where);
        const auto kind = kind_of(value);
        const auto *x = value.find("x"), *y = value.find("y"), *file = value.find("file");
        const auto at = [](const Document& given) { return given.key_place.line > 0 ? given.key_place : given.place; };
        if (file != nullptr ? x != nullptr || y != nullptr : x == nullptr || y == nullptr) {
            throw InputError(at(value), file != nullptr ? fmt::format("{} has both a file and values: give one", where)
                                                        : fmt::format("{} needs x and y, or file", where));
        }
        TableFile rows;
        std::vector<Place> y_places;
        if (file != nullptr) {
            if (file->kind != Document::Kind::text || file->text.empty()) {
                file->fail(fmt::format("'file' in {} must be the name of a file", where));
            }
            rows = read_table_file(path_of(*file), file->place);
            y_places = rows.places;
        } else {
            rows.x = column(*x, fmt::format("x of {}", where), rows.places);
            rows.y = column(*y, fmt::format("y of {}", where), y_places);
        }
        if (const auto fault = Table::fault(rows.x, rows.y, kind)) {
            const auto& places = fault->in_y ? y_places : rows.places;
            throw InputError(fault->row ? places[*fault->row] : at(file != nullptr ? *file : value),
                             fmt::format("{}: {}", where, fault->problem));
        }
        draft_.add_table(Table(name, std::move(rows.x), std::move(rows.y), kind), at(value));
    }
}

}  // namespace libration
