// Monitors inside a recorded step: energy, residuals and invariants of the new node become part of it, so that runs
// that are monitored at every node need not leave generated code.
#pragma once

#include "monitor.hpp"

#include "methods/recorded_step.hpp"

namespace libration {

class MonitorInStep final : public StepWatcher {
  public:
    // Nothing where what is monitored needs more than a node: multipliers, nonholonomic constraints, a singular mass.
    static std::unique_ptr<MonitorInStep> make(const Model& model);

    void visit(MemoryVisitor<Traced>& visitor) override;
    // A node where something is not finite is not to be reached: the run looks at it then.
    Traced watch(System<Traced>& system, const Node<Traced>& before, const Node<Traced>& after) override;

  private:
    MonitorInStep(const Model& model, std::size_t invariants);

    const Model* model_;
    MonitorTotals<Traced> totals_;
    std::vector<Traced> p_;  // of the node before, where the memory of the method does not contain it
};

}  // namespace libration
