// Symbolic expressions: immutable, with shared subexpressions. Text and C++ operators build the same graph.
//
//     auto x = symbol("x"), y = symbol("y");
//     auto g = x*x + y*y - 1;
//
// Equal expressions are the same node, so comparing two of them costs one pointer comparison. Constants are exact
// (ratios of integers, decimal text, pi) until an evaluator chooses its scalar. Operators simplify, but never so that
// an expression becomes defined where it was not: 0*log(x) stays.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

enum class Op : std::uint8_t {
    constant,
    symbol,
    // one argument
    negate,
    sqrt,
    cbrt,
    exp,
    log,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    asinh,
    acosh,
    atanh,
    abs,
    sign,
    floor,
    logical_not,
    // two arguments
    add,
    subtract,
    multiply,
    divide,
    power,
    atan2,
    hypot,
    min,
    max,
    less,
    less_equal,
    equal,
    logical_and,
    logical_or,
    floors,  // unit-free residual, used by traced steps only
    // three arguments
    select,
    mad,
    interp,  // of the value, the table (table.hpp) and the number of the derivative
};

int arity(Op op);
std::string_view name(Op op);

struct ExpressionNode;

class Expression {
  public:
    Expression();  // the constant 0
    // The exact value of an integer; a double is taken as the shortest decimal that reads back to it.
    Expression(int value);     // NOLINT(google-explicit-constructor): 2*x must read as mathematics
    Expression(double value);  // NOLINT(google-explicit-constructor)
    explicit Expression(std::shared_ptr<const ExpressionNode> node);

    [[nodiscard]] Op op() const;
    [[nodiscard]] std::span<const Expression> arguments() const;
    // The name of a symbol, the exact text of a constant, empty otherwise.
    [[nodiscard]] const std::string& text() const;
    // Arguments always have smaller serial numbers than the expressions that use them.
    [[nodiscard]] std::uint64_t serial() const;
    [[nodiscard]] bool is(Op op) const { return this->op() == op; }
    [[nodiscard]] bool is_constant(std::int64_t value) const;
    [[nodiscard]] const ExpressionNode* node() const { return node_.get(); }

    friend bool operator==(const Expression& a, const Expression& b) { return a.node_ == b.node_; }

  private:
    std::shared_ptr<const ExpressionNode> node_;
};

Expression symbol(std::string_view name);
// A symbol that is equal to no other.
Expression fresh_symbol(std::string_view stem);
// "3", "0.1", "1e-3", "1/3" or "pi"; anything else is an InputError.
Expression constant(std::string_view exact_text);
Expression ratio(std::int64_t numerator, std::int64_t denominator);

// The node for this operation as it stands, without simplification: what a tracer records.
Expression verbatim(Op op, std::span<const Expression> arguments);
// The same with simplification; all operators and functions below come here.
Expression operation(Op op, std::span<const Expression> arguments);

Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
Expression operator-(const Expression& a);
Expression& operator+=(Expression& a, const Expression& b);

Expression pow(const Expression& base, const Expression& exponent);
Expression sqrt(const Expression& a);
Expression cbrt(const Expression& a);
Expression exp(const Expression& a);
Expression log(const Expression& a);
Expression sin(const Expression& a);
Expression cos(const Expression& a);
Expression tan(const Expression& a);
Expression asin(const Expression& a);
Expression acos(const Expression& a);
Expression atan(const Expression& a);
Expression sinh(const Expression& a);
Expression cosh(const Expression& a);
Expression tanh(const Expression& a);
Expression asinh(const Expression& a);
Expression acosh(const Expression& a);
Expression atanh(const Expression& a);
Expression abs(const Expression& a);
Expression sign(const Expression& a);
Expression floor(const Expression& a);
// a - b*floor(a/b), which has the sign of b.
Expression mod(const Expression& a, const Expression& b);
Expression atan2(const Expression& y, const Expression& x);
Expression hypot(const Expression& a, const Expression& b);
Expression min(const Expression& a, const Expression& b);
Expression max(const Expression& a, const Expression& b);
// `if_(condition, a, b)`; conditions come from the comparisons.
Expression if_(const Expression& condition, const Expression& a, const Expression& b);
Expression less(const Expression& a, const Expression& b);
Expression less_equal(const Expression& a, const Expression& b);

// All nodes that the expressions use, each once, arguments before users.
std::vector<Expression> sorted_nodes(std::span<const Expression> expressions);
// The symbols among them, in order of first creation.
std::vector<Expression> symbols_of(std::span<const Expression> expressions);
bool depends_on(const Expression& expression, std::span<const Expression> symbols);
// Replaces symbols; the result is simplified.
Expression substitute(const Expression& expression, std::span<const Expression> symbols,
                      std::span<const Expression> by);

// Text that parses back to the same expression; an InputError beyond ten million characters, see shared_text.hpp.
std::string to_string(const Expression& expression);

}  // namespace libration

template <>
struct std::hash<libration::Expression> {
    std::size_t operator()(const libration::Expression& e) const noexcept { return std::hash<const void*>{}(e.node()); }
};
