// TOML, written: names, texts, numbers and lists that read back to what they were.
#pragma once

#include <libration/expression/expression.hpp>

#include <string>
#include <utility>
#include <vector>

namespace libration {

// A text in quotes.
std::string toml_quoted(std::string_view text);
// A key, in quotes where TOML wants them.
std::string toml_key(const std::string& name);
// A formula: a number where TOML's numbers read back to the same node, otherwise a text in quotes.
std::string toml_formula(const Expression& value, const std::string& text);
std::string toml_formula(const Expression& value);
// Elements in brackets, as many as fit on each line behind `indent` columns.
std::string toml_list(const std::vector<std::string>& elements, std::size_t indent);
// A list of constants.
std::string toml_numbers(const std::vector<Expression>& values);
// { a = 1, b = 2 }
std::string toml_inline_table(const std::vector<std::pair<std::string, std::string>>& entries);

}  // namespace libration
