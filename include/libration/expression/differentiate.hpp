// Exact derivatives. A derivative is again an expression, so it has derivatives of its own.
#pragma once

#include <libration/expression/expression.hpp>

namespace libration {

// All partial derivatives by the reverse sweep: together they cost a small multiple of the expression itself, whatever
// the number of symbols. `floor`, `sign` and conditions count as constant where they are.
std::vector<Expression> gradient(const Expression& expression, std::span<const Expression> symbols);

Expression derivative(const Expression& expression, const Expression& symbol);

// d/ds expression(symbols + s*directions) at s = 0, by the forward sweep.
Expression directional_derivative(const Expression& expression, std::span<const Expression> symbols,
                                  std::span<const Expression> directions);

}  // namespace libration
