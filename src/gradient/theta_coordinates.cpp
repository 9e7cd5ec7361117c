// Numbers of coordinates that stand for parameters.
#include "theta_coordinates.hpp"

#include "model/separate_elements.hpp"

namespace libration {

ThetaCoordinates::ThetaCoordinates(const Model& model, std::span<const Unknown> unknowns) {
    constexpr auto missing = std::numeric_limits<std::uint32_t>::max();
    for (const auto& unknown : unknowns) {
        if (unknown.kind != Unknown::Kind::parameter) {
            continue;
        }
        const auto& parameter = model.parameters[unknown.number];
        if (unknown.element) {
            auto& list = lists_[parameter.name];
            list.resize(parameter.values.size(), missing);
            list[*unknown.element] = static_cast<std::uint32_t>(owner_.size());
        } else {
            scalars_.emplace(unknown.name, owner_.size());
        }
        owner_.push_back(owner_.size());
    }
    for (const auto& parameter : model.parameters) {
        const auto list = lists_.find(parameter.name);
        if (list == lists_.end()) {
            continue;
        }
        for (auto& coordinate : list->second) {
            if (coordinate == missing) {
                coordinate = static_cast<std::uint32_t>(owner_.size());
                owner_.push_back(nobody);
            }
        }
    }
    for (const auto& parameter : model.parameters) {
        if (const auto element = element_of(model, parameter.name); element && has_list(element->list)) {
            scalars_.emplace(parameter.name, of_element(element->list, element->number));
        }
    }
}

std::optional<std::size_t> ThetaCoordinates::of_scalar(const std::string& name) const {
    const auto found = scalars_.find(name);
    return found == scalars_.end() ? std::nullopt : std::optional(found->second);
}

Expression ThetaCoordinates::change(std::size_t coordinate) {
    const auto name = symbol(std::string(group) + '[' + std::to_string(coordinate) + "].x");
    symbols_.emplace(name, coordinate);
    return name - 1;
}

std::optional<std::size_t> ThetaCoordinates::number_of(const Expression& symbol) const {
    const auto found = symbols_.find(symbol);
    return found == symbols_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace libration
