// The tangent at the end of a run from which the backward run sets out.
#pragma once

#include "loss.hpp"
#include "unknowns.hpp"

#include "extended_model.hpp"

namespace libration {

// (q, p) of the extended model.
struct Tangent {
    std::vector<double> q, p;
};

// The gradient of the loss by q, p and parameters of the extended model, at a state of the model.
Tangent loss_gradient(const Model& model, const Loss& loss, std::span<const Unknown> parameters,
                      const ExtendedModel& extended, const Node<double>& node);

// (L_p, -L_q) plus Hamiltonian fields of the constraints, which no tangent of the manifold sees, such that it is a
// tangent of the manifold itself. `node`: of the extended system.
Tangent end_tangent(const Tangent& gradient, System<double>& system, System<Dual<double>>& dual,
                    const Node<double>& node);

// How much the coordinate x = q/s of the extended model changes with each unknown of a group where q does not: s' of
// q = s x, by coordinate and unknown. Zero but for masses that depend on parameters.
std::vector<std::array<double, dual_width>> scale_changes(System<Dual<double>>& along, std::size_t dimension);

}  // namespace libration
