// Which coordinates an extended model scales: those whose mass depends on parameters. q = x sqrt(m/m(theta)).
#pragma once

#include "shifted_parameters.hpp"

namespace libration {

class MassScales {
  public:
    static constexpr std::uint32_t unscaled = std::numeric_limits<std::uint32_t>::max();

    // Of constant diagonal masses.
    MassScales(const Model& model, const ShiftedParameters& shift);

    // Coordinates of one kind have the same formula of the mass.
    [[nodiscard]] std::uint32_t kind(std::size_t coordinate) const { return kind_[coordinate]; }
    [[nodiscard]] const Formula& mass(std::uint32_t kind) const { return model_->mass.diagonal[kind].value; }
    [[nodiscard]] std::size_t instance(std::size_t coordinate) const {
        const auto kind = kind_[coordinate];
        return mass(kind).instances == 1 ? 0 : (coordinate - first_[kind]) / model_->mass.diagonal[kind].repeat;
    }
    // One instance at a time tells how the mass changes.
    [[nodiscard]] bool singly(std::uint32_t kind) const { return kind != unscaled && singly_[kind]; }

  private:
    const Model* model_;
    std::vector<std::uint32_t> kind_;  // by coordinate: the first block of this formula
    std::vector<std::size_t> first_;   // by block: its first coordinate
    std::vector<bool> singly_;
};

}  // namespace libration
