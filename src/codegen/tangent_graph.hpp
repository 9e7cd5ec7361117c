// Derivatives of recorded operations: the graph of a step, with some symbols replaced by numbers, and its tangents.
//
// Recorded graphs contain compensated sums, which a general simplification would destroy. Here constants are folded and
// operations with 0 and 1 are dropped, nothing else; and the tangent of what rounding dropped is zero.
#pragma once

#include "step_program.hpp"

#include <optional>
#include <unordered_map>

namespace libration {

// The node of an operation, with constants folded and without operations that do nothing.
Expression folded(Op op, std::span<const Expression> arguments);
Expression folded(Op op, const Expression& a, const Expression& b);
// a + b, where products are fused with the sum: of tangents, whose bits are not promised.
Expression fused_sum(const Expression& a, const Expression& b);

// Rebuilds expressions with symbols replaced.
class Replacement {
  public:
    // `vanishing`: numbers of this size are taken for zero, such as the inverse of a mass that stands for an infinite
    // one; 0: none.
    explicit Replacement(std::unordered_map<Expression, Expression> by, double vanishing = 0)
        : known_(std::move(by)), vanishing_(vanishing) {}
    Expression of(const Expression& e);
    std::vector<Expression> of(std::span<const Expression> all);

  private:
    std::unordered_map<Expression, Expression> known_;
    double vanishing_;
};

// Tangents of expressions along given tangents of symbols. Nothing: zero.
class TangentGraph {
  public:
    using Tangent = std::optional<Expression>;
    explicit TangentGraph(std::unordered_map<Expression, Expression> seeds) : seeds_(std::move(seeds)) {}

    Tangent of(const Expression& e);
    void seed(const Expression& symbol, const Expression& tangent) { seeds_.emplace(symbol, tangent); }

  private:
    Tangent find(const Expression& e);
    Tangent of_difference(const Expression& e);
    Tangent of_product(const Expression& e);
    Tangent of_function(const Expression& e);
    // What a difference is without rounding: (u + v) - u is v.
    Expression exact(const Expression& e) const;
    [[nodiscard]] const Tangent& known(const Expression& e) const { return tangents_.at(e); }

    std::unordered_map<Expression, Expression> seeds_;
    std::unordered_map<Expression, Tangent> tangents_;
    std::unordered_map<Expression, Expression> exact_;
};

}  // namespace libration
