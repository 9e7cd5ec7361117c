// A recorded run, in memory: what analyses work on. It comes from a TrajectoryKeeper, or from a file
// (io/read_trajectory.hpp).
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/model/model.hpp>

#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

struct Trajectory : RecordedStates {
    Model model;
    std::string method;          // a specification, for method()
    IntegrationOptions options;  // of the run; `step` is that of the method
    // Whether rows are consecutive nodes of a constant step size: required by analyses that take differences.
    [[nodiscard]] bool holds_every_step() const;
};

// Records a trajectory during a run.
class TrajectoryKeeper final : public Observer {
  public:
    TrajectoryKeeper(const Model& model, const std::string& method, const IntegrationOptions& options);
    void see(const Sample& sample) override { trajectory.add(sample); }
    Trajectory trajectory;
};

// The values of a formula (see quantity.hpp) along a trajectory, one per row.
std::vector<double> values_along(const Trajectory& trajectory, const std::string& formula,
                                 const std::string& what = "the quantity");

}  // namespace libration
