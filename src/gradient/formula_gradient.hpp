// The gradient of formulas of the state by coordinates, momenta and many parameters at once, of models with a diagonal
// mass; not of formulas with multipliers.
#pragma once

#include "loss.hpp"
#include "parameter_adjoint.hpp"

namespace libration {

class FormulaGradient {
  public:
    FormulaGradient(const Model& model, const Loss& loss);

    // At a state of the model.
    void read(const Node<double>& node);
    // By q, p, and each of the parameters with x = q sqrt(m(theta)/m) and its momentum fixed.
    struct Sums {
        std::span<double> q, p, parameters;
    };
    // Adds `weight` times the gradient of a formula.
    void add(std::size_t formula, double weight, std::span<const Unknown> parameters, const Sums& to);

  private:
    const Model* model_;
    const Loss* loss_;
    ParameterValues<double> given_;
    std::vector<double> masses_, values_;
    std::vector<std::vector<Expression>> used_;  // parameters of each formula
    std::vector<Tape<double>> slopes_;           // of each formula, by its inputs and parameters
};

}  // namespace libration
