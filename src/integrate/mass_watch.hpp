// Watches whether a mass matrix M(t, q) stays positive definite on the way.
#pragma once

#include <libration/kit/stepper.hpp>
#include <libration/kit/system.hpp>
#include <libration/model/model.hpp>

namespace libration {

class MassWatch {
  public:
    // Both must outlive the watch.
    MassWatch(const Model& model, System<double>& system);

    // False where M is constant, or the energy is a whole Hamiltonian.
    [[nodiscard]] bool needed() const { return needed_; }
    // A message if M is not positive definite at a finite q; one decomposition of M.
    [[nodiscard]] std::optional<std::string> fault(double t, std::span<const double> q);
    // The same for the straight way of the next step: of a step that ended in NaN, it is unknown where it met a
    // zero.
    [[nodiscard]] std::optional<std::string> fault_ahead(const Node<double>& node, double step);

  private:
    const Model* model_;
    System<double>* system_;
    bool needed_;
    std::vector<double> pivots_;
};

}  // namespace libration
