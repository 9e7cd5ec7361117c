// Where formulas use angles that count turns.
#include "angles_in_equations.hpp"

#include <algorithm>

namespace libration {

namespace {

class AngleSearch {
  public:
    explicit AngleSearch(const Model& model) : model_(&model) {}

    // The name of the first one; empty: none.
    [[nodiscard]] std::string in(const Expression& e) const {
        for (const auto& s : symbols_of(std::array{e})) {
            const auto angle = std::ranges::find(model_->windings, s, &Winding::reference);
            if (angle != model_->windings.end()) {
                return angle->name;
            }
        }
        return {};
    }
    [[nodiscard]] std::string in(const Formula& formula) const {
        auto name = in(formula.kernel);
        for (std::size_t k = 0; k < formula.parameters.size() && name.empty(); ++k) {
            if (const auto& parameter = formula.parameters[k]; parameter.kind == InstanceParameter::Kind::sum) {
                name = in(parameter.sum->summand);
            }
        }
        return name;
    }

  private:
    const Model* model_;
};

}  // namespace

std::string angle_in_equations(const Model& model) {
    const AngleSearch search(model);
    std::string name;
    const auto look = [&](const auto& where) { name = name.empty() ? search.in(where) : name; };
    for (const auto& term : model.potential) {
        look(term.formula);
    }
    for (const auto& constraint : model.constraints) {
        look(constraint.term.formula);
    }
    for (const auto* whole : {&model.kinetic, &model.hamiltonian}) {
        if (*whole) {
            look((*whole)->value);
        }
    }
    for (const auto* mass : {&model.mass, model.variable_mass ? &*model.variable_mass : nullptr}) {
        if (mass != nullptr) {
            std::ranges::for_each(mass->matrix, look);
            std::ranges::for_each(mass->diagonal, [&](const auto& block) { look(block.value); });
        }
    }
    for (const auto& rolling : model.nonholonomic) {
        look(rolling.equation.value);
    }
    for (const auto& force : model.forces) {
        std::ranges::for_each(force.on, [&](const auto& component) { look(component.value.value); });
    }
    for (const auto* equations : {model.field ? &model.field->q : nullptr, model.field ? &model.field->v : nullptr}) {
        for (std::size_t k = 0; equations != nullptr && k < equations->size(); ++k) {
            look((*equations)[k].value);
        }
    }
    return name;
}

}  // namespace libration
