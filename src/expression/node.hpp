// The node of the expression graph and the table that makes equal nodes one node.
#pragma once

#include <libration/expression/expression.hpp>
#include <libration/expression/rational.hpp>

#include <optional>

namespace libration {

struct ExpressionNode : std::enable_shared_from_this<ExpressionNode> {
    Op op = Op::constant;
    bool total = true;  // defined for all real values of its symbols
    std::uint32_t depth = 0;
    std::uint64_t serial = 0;
    std::string text;
    std::array<Expression, 3> arguments{Expression(nullptr), Expression(nullptr), Expression(nullptr)};
    std::optional<Rational> value;  // of a constant that is a ratio of integers
};

// Returns the one node with this content.
Expression intern(Op op, std::string text, std::span<const Expression> arguments);

inline const std::optional<Rational>& rational_value(const Expression& e) { return e.node()->value; }

}  // namespace libration
