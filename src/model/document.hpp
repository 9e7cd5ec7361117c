// A TOML text as a tree that remembers order and places.
#pragma once

#include "index_table.hpp"

#include <libration/expression/parse.hpp>
#include <libration/text/source.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace libration {

struct Document {
    enum class Kind { text, integer, number, boolean, list, table, expression };
    Kind kind = Kind::table;
    std::string text;
    std::int64_t integer = 0;
    double number = 0;
    bool boolean = false;
    Expression expression;                                  // a formula that was never a text
    std::vector<Document> items;                            // list
    std::shared_ptr<const TupleTable> indices;              // of a long table of indices; items has only its first row
    std::vector<std::pair<std::string, Document>> entries;  // table, in the order of the file
    Place place;                                            // of the value; for a text, of its first character
    Place key_place;

    [[nodiscard]] const Document* find(std::string_view key) const;
    // A number as it is written in the file, with all its digits: 0.10 is read as 0.1.
    [[nodiscard]] std::string literal() const;
    // InputError that points at a key which is not among `known`.
    void allow_only(std::span<const std::string> known, std::string_view where) const;
    [[noreturn]] void fail(const std::string& message) const;
};

std::string_view name(Document::Kind kind);

// The first character of a key, inside its quotes if it has some.
Place inside_key(Place key_place);

// A list whose elements are lists.
inline bool is_table_of_tuples(const Document& value) {
    return value.kind == Document::Kind::list && !value.items.empty() && value.items[0].kind == Document::Kind::list;
}

// What a symbol of an expression means, as a text at its place would be read; a table is looked up by its name.
Expression meaning(const Expression& symbol, Scope& scope, const Place& place, std::string_view what);
// The expression with the meanings of all its symbols.
Expression in_scope(const Expression& expression, Scope& scope, const Place& place, std::string_view what);

// A number, an expression, or a text with a formula.
Expression formula_of(const Document& value, Scope& scope, std::string_view what);

// The same for a vector, too, which may also be the list of its components.
Value value_of(const Document& value, Scope& scope, std::string_view what);

Document read_document(const std::shared_ptr<const Source>& source);

}  // namespace libration
