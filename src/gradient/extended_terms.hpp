// Terms of an extended model: families stay families where their instances change in the same way.
#pragma once

#include "mass_scales.hpp"

namespace libration {

class ExtendedTerms {
  public:
    // `scales`: null: no coordinate is scaled.
    ExtendedTerms(const Model& model, ThetaCoordinates& theta, const ShiftedParameters& shift, const MassScales* scales)
        : model_(&model), theta_(&theta), shift_(&shift), scales_(scales) {}

    // The term as pieces, in the order of its instances; none where there would be too many. `apart`: instances are
    // rows that should meet in as few coordinates as possible.
    [[nodiscard]] std::optional<std::vector<Term>> pieces(const Term& term, bool apart);

  private:
    [[nodiscard]] std::uint32_t kind(const Term& term, std::size_t instance, std::size_t slot) const;
    [[nodiscard]] bool same_kinds(const Term& term, std::size_t a, std::size_t b) const;
    [[nodiscard]] bool is_single(const Term& term, bool several) const;
    [[nodiscard]] Term single(const Term& term, std::size_t instance);
    [[nodiscard]] std::uint32_t own_coordinate(std::size_t coordinate, bool apart, bool of_element);

    // A symbol of the kernel for coordinates that differ between instances.
    struct ElementSlot {
        std::string list;
        IndexColumn elements;
        Expression symbol;
    };
    friend class FamilyPiece;

    const Model* model_;
    ThetaCoordinates* theta_;
    const ShiftedParameters* shift_;
    const MassScales* scales_;
    std::vector<std::uint8_t> rows_;  // by added coordinate: in how many rows it is, as far as rows may share it
};

}  // namespace libration
