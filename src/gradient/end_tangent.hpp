// From the gradient of a formula at a point of a run to the tangent that the backward run carries from there.
#pragma once

#include "point_gradient.hpp"

namespace libration {

// (L_p, -L_q) plus Hamiltonian fields of the constraints, which no tangent of the manifold sees, such that it is a
// tangent of the manifold itself: first those of G v + g_t, which move q until G w_q = 0, then those of g, which move p
// until the derivative of G v + g_t along w vanishes.
class EndTangent {
  public:
    // Both systems are those of the extended model.
    EndTangent(System<double>& system, System<Dual<double>>& dual);

    // A state of the extended system.
    void set_state(const Node<double>& node);
    Tangent of(const Tangent& gradient);

  private:
    using D = Dual<double>;
    void move_positions(Tangent& w);
    void move_momenta(Tangent& w);

    System<double>* system_;
    System<D>* dual_;
    Manifold<D> manifold_;
    std::shared_ptr<ConstraintMatrix<double>> matrix_;
    double t_ = 0;
    std::vector<double> G_, A_, rows_, kick_, v_, q_, p_;
    std::vector<D> dual_q_, dual_p_, hidden_, moving_, force_;
};

}  // namespace libration
