// How a table stands in an expression: interp(x, handle, derivative). The handle is the constant "table NAME#DIGEST"
// where the values are known, and the symbol "table NAME" where they are not yet.
#pragma once

#include <libration/expression/table.hpp>

namespace libration {

bool is_table(const Expression& handle);
// The view lives as long as the handle.
std::string_view table_name(const Expression& handle);
// The handle of a table whose values are to be looked up by its name.
Expression unknown_table(std::string_view name);
// Programs know a table by its number: the text of that constant.
std::string table_number(const Expression& handle);
// Whether the derivative of that order is 0 everywhere.
bool vanishes(const Expression& handle, const Expression& derivative);
// The derivative of interp by its value; nothing: 0.
std::optional<Expression> next_derivative(const Expression& interp);

}  // namespace libration
