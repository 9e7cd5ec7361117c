// v, lambda and observables of recorded states (t, q, p): bitwise identical to what the run would have recorded, when
// somebody asks for them.
#pragma once

#include "monitor.hpp"

#include <memory>

namespace libration {

class StateReader {
  public:
    // `states`: how many will be read, to know whether machine code is worth while.
    StateReader(const Model& model, std::size_t states);

    // Whether states of this model say all: not so where a system adds coordinates of its own, where multipliers are
    // found by iteration, where angles count turns, or where functions of the user, which may do as they like, are
    // called.
    static bool suffices(const Model& model);

    // Valid until the next call; energy and residuals are those of q as it was rounded.
    Sample read(double t, std::span<const double> q, std::span<const double> p);

  private:
    std::unique_ptr<System<double>> system_;
    Manifold<double> manifold_;
    NodeReader reader_;
    std::vector<double> q_low_;
};

}  // namespace libration
