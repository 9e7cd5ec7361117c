// Symbols for formulas.
#pragma once

#include <libration/expression/expression.hpp>

namespace libration::letters {

inline const Expression a = symbol("a"), x = symbol("x"), y = symbol("y"), z = symbol("z");

}  // namespace libration::letters
