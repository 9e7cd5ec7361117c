// Whether non-Hamiltonian forces can act at a state.
#include "force_checks.hpp"

#include "manifold/manifold.hpp"
#include "manifold/rank.hpp"
#include "system/applied_forces.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Whether R = G M^-1 (G^T - f_lambda) is regular: its pivots, every column as a part of the size of its two terms, say
// what is left of them after cancellation.
bool determines_multipliers(System<double>& system, double t, std::span<const double> q, std::span<const double> p,
                            std::span<const double> lambda) {
    auto& forces = *system.forces();
    const std::size_t d = system.dimension(), m = system.constraints();
    const auto& pattern = system.pattern();
    std::vector<double> G(pattern.entries()), v(d), slopes(forces.slopes().size()), reaction(d), force(d), rows(m);
    system.velocity(t, q, p, v);
    system.jacobian(t, q, G);
    forces.slope_values(t, q, v, lambda, slopes);
    std::vector<double> R(m * m), unit(m);
    std::vector<std::size_t> pivots(m);
    for (std::size_t j = 0; j < m; ++j) {
        std::ranges::fill(reaction, 0);
        std::ranges::fill(force, 0);
        unit[j] = 1;
        add_transposed<double>(pattern, G, unit, reaction);
        unit[j] = 0;
        for (std::size_t k = 0; k < slopes.size(); ++k) {
            const auto& slope = forces.slopes()[k];
            if (slope.column == 2 * d + j) {
                force[forces.components()[slope.component].coordinate] += slopes[k];
            }
        }
        double size = 0;
        for (const auto& [term, sign] : {std::pair{&reaction, 1.0}, std::pair{&force, -1.0}}) {
            system.solve_mass(t, q, p, *term, *term);
            apply_jacobian<double>(pattern, G, *term, rows);
            double largest = 0;
            for (std::size_t i = 0; i < m; ++i) {
                R[i * m + j] += sign * rows[i];
                largest = std::max(largest, std::abs(rows[i]));
            }
            size += largest;
        }
        for (std::size_t i = 0; i < m; ++i) {
            R[i * m + j] /= size;
        }
    }
    factor_dense<double>(R, pivots);
    for (std::size_t k = 0; k < m; ++k) {
        if (!(std::abs(R[k * m + k]) > rank_tolerance)) {
            return false;
        }
    }
    return true;
}

std::string names_of_forces_with_multipliers(const Model& model) {
    const auto multipliers = model.multiplier_symbols();
    std::vector<std::string> names;
    for (const auto& force : model.forces) {
        if (std::ranges::any_of(force.on, [&](const auto& on) { return depends_on(on.value.value, multipliers); })) {
            names.push_back(fmt::format("'{}'", force.name));
        }
    }
    return fmt::format("{}", fmt::join(names, " and "));
}

// The number-th component of all forces, in the order of AppliedForces.
std::pair<const Force*, const Force::Component*> component_of(const Model& model, std::size_t number) {
    for (const auto& force : model.forces) {
        if (number < force.on.size()) {
            return {&force, &force.on[number]};
        }
        number -= force.on.size();
    }
    return {};
}

}  // namespace

std::string force_fault(const Model& model, System<double>& system, double t, std::span<const double> q,
                        std::span<const double> p) {
    auto* forces = system.forces();
    if (forces == nullptr) {
        return {};
    }
    std::vector<double> lambda(reaction_count(system)), v(system.dimension()), f(forces->components().size());
    if (forces->depend_on_multipliers()) {
        const double pivot = Manifold<double>(system).multipliers(t, q, p, lambda);
        const bool found = std::ranges::all_of(lambda, [](double x) { return std::isfinite(x); });
        if (!found) {
            std::ranges::fill(lambda, 0);
        }
        const bool determined = system.properties().nonholonomic > 0 ? pivot > rank_tolerance
                                                                     : determines_multipliers(system, t, q, p, lambda);
        if (!found || !determined) {
            return fmt::format("with the force {}, which depends on multipliers, the constraints do not determine the "
                               "multipliers at the initial values: G M^-1 (G^T - f_lambda) is singular\n"
                               "Weaken this dependence, or write the force in terms of q, v and t.",
                               names_of_forces_with_multipliers(model));
        }
    }
    system.velocity(t, q, p, v);
    forces->values(t, q, v, lambda, f);
    if (const auto bad = std::ranges::find_if(f, [](double x) { return !std::isfinite(x); }); bad != f.end()) {
        const auto [force, component] = component_of(model, static_cast<std::size_t>(bad - f.begin()));
        return point_at(component->value.place,
                        fmt::format("the force '{}' on {} is not a finite number at the initial values", force->name,
                                    model.coordinate_name(component->coordinate)));
    }
    return {};
}

std::string undefined_force(const Model& model, System<double>& system, const Node<double>& node, double step) {
    auto* forces = system.forces();
    if (forces == nullptr) {
        return {};
    }
    constexpr int looks = 16;
    std::vector<double> lambda(reaction_count(system)), v(system.dimension()), q(v), f(forces->components().size());
    Manifold<double>(system).multipliers(node.t, node.q, node.p, lambda);
    system.velocity(node.t, node.q, node.p, v);
    for (int k = 0; k <= looks; ++k) {
        const double ahead = step * k / looks;
        for (std::size_t i = 0; i < q.size(); ++i) {
            q[i] = node.q[i] + ahead * v[i];
        }
        forces->values(node.t + ahead, q, v, lambda, f);
        if (const auto bad = std::ranges::find_if(f, [](double x) { return !std::isfinite(x); }); bad != f.end()) {
            const auto [force, component] = component_of(model, static_cast<std::size_t>(bad - f.begin()));
            return fmt::format("the force '{}' on {} is no longer finite near t = {:.10g}; fix its formula there, or "
                               "end the run earlier",
                               force->name, model.coordinate_name(component->coordinate), node.t + ahead);
        }
    }
    return {};
}

}  // namespace libration
