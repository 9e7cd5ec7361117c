// Rows of a run.
#include <libration/integrate/trajectory.hpp>

#include "quantity.hpp"

namespace libration {

Sample Trajectory::sample(std::size_t row) const {
    return {.step = step[row],
            .t = t[row],
            .q = q[row],
            .p = p[row],
            .v = v[row],
            .lambda = lambda[row],
            .observables = observables[row],
            .energy = energy[row],
            .constraint = constraint[row],
            .hidden = hidden[row]};
}

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

void TrajectoryKeeper::see(const Sample& sample) {
    const auto copy = [](std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); };
    trajectory.step.push_back(sample.step);
    trajectory.t.push_back(sample.t);
    trajectory.energy.push_back(sample.energy);
    trajectory.constraint.push_back(sample.constraint);
    trajectory.hidden.push_back(sample.hidden);
    trajectory.q.push_back(copy(sample.q));
    trajectory.p.push_back(copy(sample.p));
    trajectory.v.push_back(copy(sample.v));
    trajectory.lambda.push_back(copy(sample.lambda));
    trajectory.observables.push_back(copy(sample.observables));
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
