// What becomes of the formulas of a model when some of its parameters change.
#pragma once

#include "theta_coordinates.hpp"

#include <set>

namespace libration {

class ShiftedParameters {
  public:
    // Parameters change by their coordinates; others follow where they are formulas of them.
    ShiftedParameters(const Model& model, ThetaCoordinates& theta);

    [[nodiscard]] bool affects(const Expression& e) const { return depends_on(e, symbols_); }
    // Also by lists and sums that belong to its instances.
    [[nodiscard]] bool affects(const Formula& formula) const;
    // Only one instance at a time tells how it changes: by a sum, or by elements that are formulas.
    [[nodiscard]] bool affects_singly(const Formula& formula) const;
    [[nodiscard]] Expression apply(const Expression& e) const { return substitute(e, symbols_, by_); }
    // Instance k of a formula.
    [[nodiscard]] Expression instance(const Formula& formula, std::size_t k) const;

    // Scalar parameters that change, and what they become.
    [[nodiscard]] std::span<const Expression> symbols() const { return symbols_; }
    [[nodiscard]] std::span<const Expression> by() const { return by_; }

  private:
    [[nodiscard]] Expression element(const std::string& list, std::int64_t number) const;

    const Model* model_;
    ThetaCoordinates* theta_;
    std::vector<Expression> symbols_, by_;
    std::set<std::string, std::less<>> following_;  // lists of which some elements are formulas of what changes
};

}  // namespace libration
