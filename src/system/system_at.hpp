// The system that suits a model, at values of its parameters: those of the model, or others over the same scalar.
#pragma once

#include "field_system.hpp"
#include "hamiltonian_system.hpp"
#include "kinetic_system.hpp"
#include "model/augmented.hpp"
#include "model/model_values.hpp"
#include "term_system.hpp"

#include <memory>

namespace libration {

// Of models without functions that cannot be traced.
template <class S>
std::unique_ptr<System<S>> system_at(const Model& model, const ParameterValues<S>& given) {
    if (model.field) {
        return std::make_unique<FieldSystem<S>>(model, given);
    }
    if (model.hamiltonian) {
        return std::make_unique<HamiltonianSystem<S>>(model, given);
    }
    if (model.singular_mass) {
        return std::make_unique<KineticSystem<S>>(augmented(model), given);
    }
    if (model.kinetic) {
        return std::make_unique<KineticSystem<S>>(model, given);
    }
    return std::make_unique<TermSystem<S>>(model, given);
}

}  // namespace libration
