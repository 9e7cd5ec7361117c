// What must be the same in all lanes of an ensemble: sizes, tables of indices, and formulas, which are equal exactly if
// they are one node.
#pragma once

#include <libration/model/model.hpp>

#include <cstdint>
#include <vector>

namespace libration {

// Terms and constraints, with the rest of the equations of motion or with the start and the observables.
enum class ShapeOf { equations, start };

class ModelShape {
  public:
    ModelShape(const Model& model, ShapeOf part);
    friend bool operator==(const ModelShape&, const ModelShape&) = default;

  private:
    template <class... Numbers>
    void add(Numbers... numbers) {
        (numbers_.push_back(static_cast<std::uint64_t>(numbers)), ...);
    }
    void add_expression(const Expression& expression);
    void add_formula(const Formula& formula);
    void add_term(const Term& term);
    void add_start(const Model& model);
    void add_whole_formulas(const Model& model);
    void add_forces(const Model& model);

    std::vector<std::uint64_t> numbers_;
    std::vector<Expression> expressions_;
};

}  // namespace libration
