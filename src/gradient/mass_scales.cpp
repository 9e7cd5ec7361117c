// From blocks of masses to coordinates.
#include "mass_scales.hpp"

#include <algorithm>

namespace libration {

MassScales::MassScales(const Model& model, const ShiftedParameters& shift)
    : model_(&model), kind_(model.dimension, unscaled) {
    std::unordered_map<Expression, std::uint32_t> known;  // formulas without instances
    std::size_t coordinate = 0;
    for (std::uint32_t k = 0; k < model.mass.diagonal.size(); ++k) {
        const auto& block = model.mass.diagonal[k];
        const std::size_t covered = block.value.instances * block.repeat;
        first_.push_back(coordinate);
        const bool affected = shift.affects(block.value);
        const bool sums = std::ranges::any_of(block.value.parameters, [](const InstanceParameter& parameter) {
            return parameter.kind == InstanceParameter::Kind::sum;
        });
        singly_.push_back(affected && (sums || shift.affects_singly(block.value)));
        if (affected) {
            const auto kind = block.value.instances == 1 && block.value.parameters.empty()
                                  ? known.emplace(block.value.kernel, k).first->second
                                  : k;
            std::fill_n(kind_.begin() + static_cast<std::ptrdiff_t>(coordinate), covered, kind);
        }
        coordinate += covered;
    }
}

}  // namespace libration
