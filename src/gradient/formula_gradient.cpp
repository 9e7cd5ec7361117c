// Reverse sweeps from formulas to what they depend on.
#include "formula_gradient.hpp"

#include <libration/expression/differentiate.hpp>

namespace libration {

FormulaGradient::FormulaGradient(const Model& model, const Loss& loss)
    : model_(&model), loss_(&loss), given_(parameter_values<double>(model)), values_(loss.inputs.size()) {
    for (const auto& block : model.mass.diagonal) {
        for (const double value : instance_values(block.value, given_)) {
            masses_.insert(masses_.end(), block.repeat, value);
        }
    }
    for (const auto& formula : loss.formulas) {
        auto& used = used_.emplace_back();
        auto wanted = loss.symbols;
        for (const auto& symbol : symbols_of(std::array{formula})) {
            if (std::ranges::find(given_.symbols, symbol) != given_.symbols.end()) {
                used.push_back(symbol);
                wanted.push_back(symbol);
            }
        }
        slopes_.emplace_back(compile(libration::gradient(formula, wanted), loss.symbols, given_.symbols),
                             given_.values);
    }
}

void FormulaGradient::read(const Node<double>& node) {
    using Kind = NodeFormula::Input::Kind;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const auto [kind, j] = std::pair(loss_->inputs[i].kind, loss_->inputs[i].index);
        values_[i] = kind == Kind::time       ? node.t
                     : kind == Kind::position ? node.q[j]
                     : kind == Kind::momentum ? node.p[j]
                                              : node.p[j] / masses_[j];
    }
    for (auto& tape : slopes_) {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            tape.input(i) = values_[i];
        }
        tape.run();
    }
}

void FormulaGradient::add(std::size_t formula, double weight, std::span<const Unknown> parameters, const Sums& to) {
    using Kind = NodeFormula::Input::Kind;
    const auto& slopes = slopes_[formula];
    std::vector<double> of_mass(model_->dimension);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const auto [kind, j] = std::pair(loss_->inputs[i].kind, loss_->inputs[i].index);
        const double slope = weight * slopes.output(i);
        if (kind == Kind::time) {
            continue;
        }
        (kind == Kind::position ? to.q : to.p)[j] += kind == Kind::velocity ? slope / masses_[j] : slope;
        // With x and its momentum fixed, q and v change like m^(-1/2), p like m^(1/2).
        of_mass[j] += (kind == Kind::momentum ? 1 : -1) * values_[i] * slope / (2 * masses_[j]);
    }
    ParameterAdjoint adjoint(*model_, ParameterAdjoint::Result::exact);
    adjoint.add_masses(of_mass);
    for (std::size_t s = 0; s < used_[formula].size(); ++s) {
        adjoint.add_scalar(used_[formula][s], weight * slopes.output(values_.size() + s));
    }
    const auto by = adjoint.by(parameters);
    for (std::size_t k = 0; k < by.size(); ++k) {
        to.parameters[k] += by[k];
    }
}

}  // namespace libration
