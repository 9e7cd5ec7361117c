// The energy balance of a run whose energy changes: H minus what forces, moving constraints and explicit time have
// supplied since the start,
//
//     H(t) - H(t_0) - integral of (H_t + v . f + lambda^T g_t - mu^T k_v v) dt,
//
// zero along the exact motion. The power is integrated over all nodes, whichever are monitored.
#pragma once

#include "node_quadrature.hpp"
#include "power.hpp"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace libration {

class EnergyBalance {
  public:
    // Null where the energy is conserved, or where there is none. The arguments must outlive it.
    static std::unique_ptr<EnergyBalance> make(const Model& model, System<double>& system, Manifold<double>& manifold,
                                               bool constant_steps);
    EnergyBalance(const Model& model, System<double>& system, Manifold<double>& manifold, bool constant_steps);
    // The same run with other rows.
    void use(const Model& model, System<double>& system, Manifold<double>& manifold);

    struct Error {
        double t, error;
    };
    // The next node, the first one first; `change`: of the energy since the start, NaN where it was not monitored.
    // Returns the monitored nodes whose balance becomes known by it, see NodeQuadrature. Valid until the next call.
    std::span<const Error> pass(const Node<double>& node, double change);
    // Those that are not known yet if the run ends here, and the last node, whose energy has changed by `last`.
    [[nodiscard]] std::vector<Error> rest(double last) const;
    void visit(MemoryVisitor<double>& visitor);

  private:
    PowerReader power_;
    NodeQuadrature work_;
    std::array<double, NodeQuadrature::most_nodes> changes_{};  // of the last nodes, the newest at the end
    std::vector<Error> known_;
};

}  // namespace libration
