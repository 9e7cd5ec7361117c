// Which expressions say yes or no, and which are numbers.
#pragma once

#include <libration/expression/expression.hpp>

namespace libration {

// A comparison, or comparisons joined by and, or, not.
bool is_comparison(const Expression& e);

// What is 0 or 1 for all values of its symbols: comparisons, also chosen by if() and multiplied.
bool is_condition(const Expression& e);

}  // namespace libration
