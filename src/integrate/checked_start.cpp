// Start, projection, checks.
#include "checked_start.hpp"

#include "mass_watch.hpp"

#include <libration/text/error.hpp>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

void project(Manifold<double>& manifold, double t, StartState<double>& start) {
    if (manifold.project_position(t, start.q, start.p) != 1) {
        throw InputError("the initial positions could not be projected onto the constraints; give better ones");
    }
    manifold.project_momentum(t, start.q, start.p);
    if (!std::ranges::all_of(start.p, [](double x) { return std::isfinite(x); })) {
        throw InputError("the initial velocities could not be projected onto the constraints; give better ones");
    }
}

}  // namespace

StartState<double> checked_start(const Model& model, System<double>& system, Manifold<double>& manifold,
                                 const IntegrationOptions& options) {
    auto start = start_state<double>(model, system, options.start_time);
    if (options.project) {
        project(manifold, options.start_time, start);
    }
    if (const auto fault = start_fault(model, system, start.q, start.p, options.start_time); !fault.empty()) {
        throw InputError(fault +
                         (options.project ? "\n(These are the values after `project`, which did not converge.)" : ""));
    }
    if (const auto fault = MassWatch(model, system).fault(options.start_time, start.q)) {
        throw InputError(*fault + "; change the initial values or the masses");
    }
    return start;
}

}  // namespace libration
