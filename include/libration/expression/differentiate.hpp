// Exact derivatives. A derivative is again an expression, so it has derivatives of its own.
#pragma once

#include <libration/expression/expression.hpp>

namespace [[gnu::visibility("default")]] libration {

// All partial derivatives by the reverse sweep: together they cost a small multiple of the expression itself, for any
// number of symbols. `floor`, `sign` and conditions count as constant where they are.
std::vector<Expression> gradient(const Expression& expression, std::span<const Expression> symbols);

// The places of the Jacobian that are not identically zero: for each expression, the numbers of the symbols on which it
// depends in more than a constant way, ascending.
std::vector<std::vector<std::size_t>> jacobian_sparsity(std::span<const Expression> expressions,
                                                        std::span<const Expression> symbols);

Expression derivative(const Expression& expression, const Expression& symbol);

// d/ds expression(symbols + s*directions) at s = 0, by the forward sweep.
Expression directional_derivative(const Expression& expression, std::span<const Expression> symbols,
                                  std::span<const Expression> directions);

// The size of the numbers affected by rounding when the expression is evaluated: sum of |d expression/d e| |e|
// over its operations e that depend on the symbols, whose own values count as exact; without the last operation, whose
// error is relative to the value. The error of a value near zero is about eps times this. [first-order error analysis:
// Higham, Accuracy and Stability of Numerical Algorithms, 2002, ch. 3]
Expression rounding_size(const Expression& expression, std::span<const Expression> symbols);

}  // namespace libration
