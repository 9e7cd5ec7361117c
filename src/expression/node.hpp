// The node of the expression graph and the table that makes equal nodes one node.
#pragma once

#include "rational.hpp"
#include <libration/expression/expression.hpp>

#include <optional>
#include <unordered_map>

namespace libration {

struct ExpressionNode : std::enable_shared_from_this<ExpressionNode> {
    Op op = Op::constant;
    bool total = true;  // defined for all real values of its symbols
    std::uint32_t depth = 0;
    std::uint64_t serial = 0;
    std::string text;
    std::array<Expression, 3> arguments{Expression(nullptr), Expression(nullptr), Expression(nullptr)};
    std::optional<Rational> value;  // of a constant that is a ratio of integers
    ExpressionNode* next_released = nullptr;
};

// Returns the one node with this content.
Expression intern(Op op, std::string text, std::span<const Expression> arguments);

// An order of expressions by what they are, not by when they were made: deeper ones first, so that chains stay on the
// left.
bool precedes(const Expression& a, const Expression& b);

// All nodes that the expressions use, each once, arguments before users, in the order in which they are written: what
// is built along it, and every bit that comes of it, does not depend on which other expressions there are or were.
std::vector<Expression> written_order(std::span<const Expression> expressions);
// The same without what only `leaves` use: they are written by their names.
std::vector<Expression> written_order(std::span<const Expression> expressions,
                                      const std::unordered_map<Expression, std::string>& leaves);

inline const std::optional<Rational>& rational_value(const Expression& e) { return e.node()->value; }

}  // namespace libration
