// Start, projection, checks.
#include "checked_start.hpp"

#include "assembly_words.hpp"
#include "mass_watch.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

void project(const Model& model, System<double>& system, Manifold<double>& manifold, double t,
             StartState<double>& start) {
    const auto given = start;
    const auto refuse = [&](const char* what) {
        const auto why = redundancy_fault(model, system, given.q, given.p, t);
        throw InputError(fmt::format("the initial {} could not be projected onto the constraints; {}", what,
                                     why.empty() ? "give better ones" : why));
    };
    if (manifold.project_position(t, start.q, start.p) != 1) {
        refuse("positions");
    }
    manifold.project_momentum(t, start.q, start.p);
    if (!std::ranges::all_of(start.p, [](double x) { return std::isfinite(x); })) {
        refuse("velocities");
    }
}

StartChange change_from_given(const Model& model, System<double>& system, double t, const std::string& how,
                              const StartState<double>& start) {
    auto moved = given_start<double>(model, system, t);
    for (std::size_t k = 0; k < moved.q.size(); ++k) {
        moved.q[k] = start.q[k] - moved.q[k];
        moved.p[k] = start.p[k] - moved.p[k];
    }
    return start_change(model, how, moved.q, moved.p);
}

}  // namespace

StartState<double> checked_start(const Model& model, System<double>& system, Manifold<double>& manifold,
                                 const IntegrationOptions& options, std::optional<StartChange>* change) {
    auto start = options.project ? given_start<double>(model, system, options.start_time)
                                 : start_state<double>(model, system, options.start_time);
    if (options.project) {
        project(model, system, manifold, options.start_time, start);
    }
    if (const auto fault = start_fault(model, system, start.q, start.p, options.start_time); !fault.empty()) {
        throw InputError(fault +
                         (options.project ? "\n(These are the values after `project`, which did not converge.)" : ""));
    }
    if (const auto fault = MassWatch(model, system).fault(options.start_time, start.q)) {
        throw InputError(*fault + "; change the initial values or the masses");
    }
    if (change != nullptr && (options.project || model.assembly)) {
        *change =
            change_from_given(model, system, options.start_time, options.project ? "projected" : "assembled", start);
    }
    return start;
}

}  // namespace libration
