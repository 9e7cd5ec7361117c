// Multipliers in formulas: lambda_rod, lambda_rod[3], and of a constraint that is a vector lambda_joint.x.
#include "row_names.hpp"
#include "scope.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace libration {

std::optional<Value> ModelScope::multiplier(std::string_view name) const {
    for (std::size_t row = 0; row < model_->multipliers(); ++row) {
        if (model_->multiplier_name(row) == name) {
            return Value{{symbol(name)}};
        }
    }
    Value components;
    for (const auto& constraint : model_->constraints) {
        if (!constraint.family && names_component(constraint.name) &&
            name == fmt::format("lambda_{}", without_component(constraint.name))) {
            components.components.push_back(symbol("lambda_" + constraint.name));
        }
    }
    return components.components.empty() ? std::nullopt : std::optional(std::move(components));
}

std::optional<Value> ModelScope::multiplier_element(std::string_view name, const Expression& index) const {
    Value found;
    bool named = false;
    for (const auto& constraint : model_->constraints) {
        if (!constraint.family || name != fmt::format("lambda_{}", without_component(constraint.name)) ||
            constraint.term.origin->columns.size() != 1) {
            continue;
        }
        named = true;
        const auto k = integer(index);
        const auto& column = constraint.term.origin->columns[0];
        std::size_t row = 0;
        while (row < constraint.term.formula.instances && column[row] != k) {
            ++row;
        }
        if (row == constraint.term.formula.instances) {
            continue;  // a family may have several terms
        }
        found.components.push_back(symbol(model_->multiplier_name(constraint.first_row + row)));
        if (!names_component(constraint.name)) {
            break;
        }
    }
    if (named && found.components.empty()) {
        throw std::invalid_argument(fmt::format("{}[{}] does not exist; the constraints {} have no such row", name,
                                                integer(index), name.substr(std::string_view("lambda_").size())));
    }
    return found.components.empty() ? std::nullopt : std::optional(std::move(found));
}

}  // namespace libration
