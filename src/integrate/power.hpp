// The power of all that changes the energy of a system at a node:
//
//     d/dt H = H_t + v . f + lambda^T g_t - mu^T k_v v
//
// forces f, moving constraints g(t, q), and nonholonomic constraints k(t, q, v) that are not homogeneous in v.
#pragma once

#include "manifold/manifold.hpp"
#include <libration/kit/dual.hpp>
#include <libration/kit/stepper.hpp>
#include <libration/model/model.hpp>

#include <memory>

namespace libration {

class PowerReader {
  public:
    // Both must outlive it. `model` is the one that the system is made of.
    PowerReader(const Model& model, System<double>& system, Manifold<double>& manifold);

    // False where the energy is conserved, and where there is none.
    [[nodiscard]] static bool needed(const System<double>& system);
    double power(const Node<double>& node);

  private:
    double explicit_rate(const Node<double>& node);

    System<double>* system_;
    Manifold<double>* manifold_;
    std::unique_ptr<System<Dual<double>>> by_time_;  // null: H does not contain t
    std::vector<Dual<double>> q_dual_, p_dual_;
    bool needs_multipliers_ = false;
    std::vector<double> v_, lambda_, forces_, rate_, K_;
};

}  // namespace libration
