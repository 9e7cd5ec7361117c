// What a system keeps of its model, for derivatives whose programs are built where a method asks for them first.
#pragma once

#include "model/model_values.hpp"
#include <libration/model/model.hpp>

#include <memory>

namespace libration {

template <class S>
struct ModelCopy {
    Model model;
    ParameterValues<S> given;
};

// Null where it would take too much memory for what is hardly ever asked for: forces and nonholonomic constraints need
// Newton's method sooner or later, stages of other large models converge without.
template <class S>
std::shared_ptr<const ModelCopy<S>> copy_of(const Model& model, const ParameterValues<S>& given) {
    constexpr std::size_t most_coordinates = 20'000;
    const bool wanted = model.dimension <= most_coordinates || !model.forces.empty() || !model.nonholonomic.empty() ||
                        !model.treatment.choices.empty() || model.treatment.full_newton;
    return wanted ? std::make_shared<const ModelCopy<S>>(model, given) : nullptr;
}

}  // namespace libration
