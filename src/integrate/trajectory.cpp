// Rows of a run.
#include <libration/integrate/trajectory.hpp>

#include "quantity.hpp"

namespace libration {

bool Trajectory::holds_every_step() const {
    for (std::size_t row = 1; row < rows(); ++row) {
        if (step[row] != step[row - 1] + 1) {
            return false;
        }
    }
    return rows() > 1 && !options.adaptive && options.at.empty();
}

TrajectoryKeeper::TrajectoryKeeper(const Model& model, const std::string& method, const IntegrationOptions& options) {
    trajectory.model = model;
    trajectory.method = method;
    trajectory.options = options;
}

std::vector<double> values_along(const Trajectory& trajectory, const std::string& formula, const std::string& what) {
    Quantity quantity(trajectory.model, formula, what);
    std::vector<double> values(trajectory.rows());
    for (std::size_t row = 0; row < values.size(); ++row) {
        values[row] = quantity.value(trajectory.sample(row), trajectory.energy.front());
    }
    return values;
}

}  // namespace libration
