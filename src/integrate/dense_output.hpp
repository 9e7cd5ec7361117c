// The state between two nodes: one more step of the method itself, from the node before, of the length that is wanted.
//
//     z(t_n + theta h) = Phi_(theta h)(z_n)
//
// It is on both constraints, of the order of the method and symplectic like it, at every length of step; nothing is
// remembered, and the trajectory knows nothing of it. Methods that are not one-step maps have a companion: steps of
// the pair IIIA-IIIB of at least their order, forward from the node before and back from the node after, mixed by 1 -
// theta and theta and projected.
#pragma once

#include "manifold/manifold.hpp"
#include <libration/kit/stepper.hpp>
#include <libration/methods/method.hpp>
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
    [[nodiscard]] std::int64_t steps() const { return steps_; }

  private:
    Node<double> find(const Node<double>& left, const Node<double>& right, double elapsed, double t);
    struct Point {
        std::vector<double> q, q_low, p;
    };
    // The state after a step of length h from a node.
    void step(const Node<double>& from, double h, double t, Point& to);
    // to = (1 - theta) to + theta other
    static void mix(Point& to, const Point& other, double theta);
    void project(double t, Point& point);

    std::unique_ptr<System<double>> system_;  // its own, so that no scratch space of the trajectory is touched
    Manifold<double> manifold_;
    bool companion_, project_position_, project_momentum_;
    std::unique_ptr<Stepper<double>> stepper_;
    Point point_, other_;
    std::vector<double> start_p_;
    std::int64_t steps_ = 0;
};

}  // namespace libration
