// The state between two nodes: one more step of the method itself, from the node before, of the length that is wanted.
//
// It is on both constraints, of the order of the method and symplectic like it, at every length of step; nothing is
// remembered, and the trajectory knows nothing of it.
#pragma once

#include "dense_steps.hpp"
#include <libration/model/model.hpp>

#include <stdexcept>

namespace libration {

// A state between two nodes that could not be found; the message says where, why and what to do.
class DenseFailure : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Whether a time is that of a node, up to rounding.
bool is_at_node(double t, double node, const Node<double>& left, const Node<double>& right);

class DenseOutput {
  public:
    // InputError if the method has no companion for this model.
    DenseOutput(const Model& model, const Method& method);

    // The state at t between two consecutive nodes, at whatever distance and in whatever direction; at a node the node
    // itself. Valid until the next call. Throws DenseFailure.
    Node<double> between(const Node<double>& left, const Node<double>& right, double t);
    // The same, so much time after `left`: at late times finer than t can say.
    Node<double> after(const Node<double>& left, const Node<double>& right, double elapsed);

    // Of the steps separate from the trajectory.
    [[nodiscard]] std::int64_t steps() const { return dense_.steps(); }

  private:
    Node<double> find(const Node<double>& left, const Node<double>& right, double elapsed, double t);

    std::unique_ptr<System<double>> system_;  // its own, so that no scratch space of the trajectory is touched
    DenseSteps<double> dense_;
};

}  // namespace libration
