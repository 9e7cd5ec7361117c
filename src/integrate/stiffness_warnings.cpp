// Stiff forces whose fast oscillations no coefficients damp, because the positions are treated by A.
//
// With positions by IIIA the stages of p act on those of q through A_IIIA A_w, which is the same for w = B, C, C*, D.
// [Jay 1998, (21b)] A force of q alone is then treated as by B, regardless of its class, and the pair IIIA-IIIB is
// unstable for h omega > 2 (two stages) to pi (many).
#include "force_checks.hpp"

#include "methods/treatment.hpp"
#include "system/applied_forces.hpp"
#include "system/velocity_constraints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

constexpr double largest_stable = 2;

// Whether it contains neither v nor lambda.
bool is_of_position_alone(AppliedForces<double>& forces, std::size_t force, std::size_t dimension) {
    return std::ranges::none_of(forces.slopes(), [&](const auto& slope) {
        return forces.components()[slope.component].force == force && slope.column >= dimension;
    });
}

// An estimate from above of the fastest frequency that the force can cause: omega^2 = largest row sum of |M^-1 f_q|.
double frequency(System<double>& system, std::size_t force, const StartState<double>& start) {
    auto& forces = *system.forces();
    const std::size_t d = system.dimension();
    std::vector<double> slopes(forces.slopes().size()), v(d), lambda(reaction_count(system)), rows(d), column(d);
    system.velocity(0, start.q, start.p, v);
    forces.slope_values(0, start.q, v, lambda, slopes);
    for (std::size_t j = 0; j < d; ++j) {
        std::ranges::fill(column, 0.0);
        bool any = false;
        for (std::size_t k = 0; k < slopes.size(); ++k) {
            const auto& component = forces.components()[forces.slopes()[k].component];
            if (component.force == force && forces.slopes()[k].column == j) {
                column[component.coordinate] = slopes[k];
                any = true;
            }
        }
        if (any) {
            system.solve_mass(0, start.q, start.p, column, column);
            for (std::size_t i = 0; i < d; ++i) {
                rows[i] += std::abs(column[i]);
            }
        }
    }
    return std::sqrt(*std::ranges::max_element(rows));
}

}  // namespace

std::vector<std::string> stiffness_warnings(const Model& model, System<double>& system, const StartState<double>& start,
                                            double step) {
    std::vector<std::string> warnings;
    auto* forces = system.forces();
    const auto position = treatment(system.properties().terms).position;
    for (std::size_t k = 0; k < model.forces.size(); ++k) {
        const auto& force = model.forces[k];
        std::vector<std::string> undamped;
        for (const auto& component : force.on) {
            if (position[component.coordinate] == 0) {  // the first mix is A
                undamped.push_back(fmt::format("{} = \"C\"", model.coordinate_name(component.coordinate)));
            }
        }
        if (force.kind != ForceClass::stiff || undamped.empty() ||
            !is_of_position_alone(*forces, k, system.dimension())) {
            continue;
        }
        const double omega = frequency(system, k, start), reach = std::abs(step) * omega;
        if (reach > largest_stable) {
            warnings.push_back(fmt::format(
                "the stiff force '{}' has frequencies up to about {:.3g}, which the step does not resolve (h omega = "
                "{:.3g}), and nothing damps them: with positions treated by A, a force that depends on q alone is "
                "treated identically by B, C, C* and D; write `[spark] position = {{ {} }}`, or use a step below "
                "{:.2g}",
                force.name, omega, reach, fmt::join(undamped, ", "), largest_stable / omega));
        }
    }
    return warnings;
}

}  // namespace libration
