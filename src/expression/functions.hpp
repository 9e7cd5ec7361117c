// The functions that text may call.
#pragma once

#include <libration/expression/parse.hpp>

namespace libration {

bool is_function(std::string_view name);
std::vector<std::string> function_names();

// Throws std::invalid_argument with the reason if number or shape of the arguments does not fit.
Value call_function(std::string_view name, const std::vector<Value>& arguments);

// a op b for + - * / on scalars and vectors, with the same exception.
Value combine(char op, const Value& a, const Value& b);

}  // namespace libration
