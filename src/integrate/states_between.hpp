// States of a recorded run between its nodes, after the run: dense output from the rows around a time.
#pragma once

#include "dense_output.hpp"
#include "monitor.hpp"
#include <libration/integrate/run.hpp>

#include <memory>

namespace libration {

class StatesBetween {
  public:
    // InputError if the method has no dense output for this model.
    StatesBetween(const Model& model, const Method& method);

    // The state at t between two consecutive recorded nodes; at the time of a node, that node. Valid until the next
    // call. InputError if it cannot be found.
    Sample between(const Sample& left, const Sample& right, double t);

  private:
    Model model_;
    DenseOutput dense_;
    std::unique_ptr<System<double>> system_;
    Manifold<double> manifold_;
    NodeReader reader_;
    std::vector<double> q_low_;
    std::size_t turns_;  // angles that count turns, the first observables
};

}  // namespace libration
