// What becomes of the formulas of a model when some of its parameters change.
#pragma once

#include <libration/model/model.hpp>

#include <set>
#include <span>

namespace libration {

class ShiftedParameters {
  public:
    // Parameter names[k] changes by changes[k], a symbol; others follow where they are formulas of it.
    ShiftedParameters(const Model& model, std::span<const std::string> names, std::span<const Expression> changes);

    [[nodiscard]] bool affects(const Expression& e) const { return depends_on(e, symbols_); }
    // Also by lists and sums that belong to its instances.
    [[nodiscard]] bool affects(const Formula& formula) const;
    // Only one instance at a time tells how it changes.
    [[nodiscard]] bool affects_instances(const Formula& formula) const;
    [[nodiscard]] Expression apply(const Expression& e) const { return substitute(e, symbols_, by_); }

  private:
    std::vector<Expression> symbols_, by_;  // of scalar parameters that change
    std::set<std::string, std::less<>> lists_;
};

}  // namespace libration
