// Values of a recipe file.
#pragma once

#include "model/document.hpp"

#include "recipe.hpp"

#include <initializer_list>

namespace libration {

void allow(const Document& table, std::string_view where, std::initializer_list<const char*> known);
// Numbers as the shortest text that reads back.
std::string as_text(const Document& value);
std::string text_of(const Document& table, const std::string& key);
std::string optional_text(const Document& table, const std::string& key);
// One value or a list; empty if there is none.
std::vector<std::string> texts_of(const Document& table, const std::string& key);
std::string identifier_of(const Document& table, const std::string& key);
// Numbers may be constant expressions in quotes.
RecipeNumbers numbers_of(const Document& value);
// The unit of the last digit with which a number is written, 0.01 for 0.30. 0 if there is none: of zero and of
// expressions.
RecipeNumbers units_of(const Document& value);
std::optional<double> optional_number(const Document& table, const std::string& key);
std::int64_t whole_number(const Document& table, const std::string& key, std::int64_t fallback);
// From 1.
std::int64_t counting_number(const Document& table, const std::string& key, std::int64_t fallback);
// Nothing if there is none; InputError if it is of another kind.
const Document* part_of(const Document& table, const std::string& key, Document::Kind kind);
bool flag(const Document& table, const std::string& key);
// A table with entries replaced, also inside of tables.
Document with_changes(const Document& table, const Document& changes);
// InputError for a `take` that measures do not know.
void check_take(const std::string& take, const Document& where);

// A [[figure]]: figure_reader.cpp.
RecipeFigure read_figure(const Document& table);

// The value of a constant expression. `what` names it in messages.
double constant_value(const std::string& text, const std::string& what);

}  // namespace libration
