#include "model_words.hpp"

#include <algorithm>

namespace libration {

std::string hidden_residual_name(const Model& model) {
    const bool moving = std::ranges::any_of(model.constraints, [](const auto& c) { return c.term.uses_time; });
    const std::string of_g = model.constraint_rows == 0 ? "" : moving ? "G v + g_t" : "G v";
    return model.nonholonomic.empty() ? of_g : of_g.empty() ? "k" : of_g + ", k";
}

std::string energy_changed_by(const Model& model, bool conserved) {
    if (model.field) {
        return "no Hamiltonian";
    }
    if (conserved) {
        return "";
    }
    return !model.forces.empty()         ? "forces do work"
           : !model.nonholonomic.empty() ? "reactions of nonholonomic constraints do work"
                                         : "H depends on time";
}

}  // namespace libration
