// Runs of a method of high order over the recorded times of another run.
#pragma once

#include <libration/integrate/trajectory.hpp>
#include <libration/methods/method.hpp>

namespace libration {

using States = std::vector<std::vector<double>>;  // [row]: q and p in one

class ReferenceRuns {
  public:
    // `spec` may be empty. InputError if no method of high order can run the model.
    ReferenceRuns(const Trajectory& trajectory, const std::string& spec);
    // At the times of the rows, with this many steps for one of the run; empty if that fails.
    States divided(int parts);
    [[nodiscard]] std::string name(int parts) const;
    // Why the last one failed.
    [[nodiscard]] const std::string& failure() const { return failure_; }

  private:
    [[nodiscard]] bool at_nodes() const { return !trajectory_->options.adaptive && trajectory_->options.at.empty(); }
    const Trajectory* trajectory_;
    Method method_;
    double step_;
    std::string failure_ =
        "its own error is as large as that of the run; choose a more accurate method with the option 'reference'";
};

}  // namespace libration
