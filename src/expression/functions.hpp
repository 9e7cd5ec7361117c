// The functions that text may call, as data: the parser, the documentation and other languages read the same list.
#pragma once

#include <libration/expression/parse.hpp>

namespace libration {

struct FunctionFact {
    std::string_view name;
    int arguments = 1;
    bool more = false;     // takes further arguments of the same kind
    bool vectors = false;  // of vectors; the others take numbers
    std::string_view summary;
};

// All functions except `sum`, which has a grammar of its own; in the order of the documentation.
std::span<const FunctionFact> function_facts();

bool is_function(std::string_view name);
std::vector<std::string> function_names();

// What to say of a name that is called and is not a function: what was meant, by the names of other languages or by its
// spelling.
std::string unknown_function(std::string_view name);
// The same for a table that interp names.
std::string no_such_table(std::string_view name, const std::vector<std::string>& known);

// Throws std::invalid_argument with the reason if name, number or shape of the arguments does not fit.
Value call_function(std::string_view name, const std::vector<Value>& arguments);

// a op b for + - * / on scalars and vectors, with the same exception.
Value combine(char op, const Value& a, const Value& b);

}  // namespace libration
