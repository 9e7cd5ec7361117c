// Checking nonholonomic constraints where a run starts.
#include "rolling_checks.hpp"

#include "manifold/rank.hpp"
#include "manifold/reaction_solver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

struct Values {
    std::vector<double> v, k, by_velocity, by_position;
    Values(System<double>& system, double t, std::span<const double> q, std::span<const double> p)
        : v(system.dimension()), k(system.properties().nonholonomic), by_velocity(k.size() * v.size()),
          by_position(by_velocity) {
        auto& rolling = *system.velocity_constraints();
        system.velocity(t, q, p, v);
        rolling.values(t, q, v, k);
        rolling.by_velocity(t, q, v, by_velocity);
        rolling.by_position(t, q, v, by_position);
    }
};

bool is_row_of_rolling_joint(const Model& model, std::size_t row) {
    return row >= model.constraint_rows && model.nonholonomic[row - model.constraint_rows].of_joint;
}

}  // namespace

double rolling_residual(System<double>& system, double t, std::span<const double> q, std::span<const double> p) {
    double largest = 0;
    if (system.velocity_constraints() != nullptr) {
        for (const double k : Values(system, t, q, p).k) {
            largest = std::isnan(k) ? k : std::max(largest, std::abs(k));
        }
    }
    return largest;
}

std::size_t independent_constraints(System<double>& system, double t, std::span<const double> q,
                                    std::span<const double> p) {
    ReactionSolver<double> solver(system);
    if (solver.least_angle(t, q, p) > rank_tolerance) {
        return system.constraints() + system.properties().nonholonomic;
    }
    const auto angles = solver.angles(t, q, p);
    return static_cast<std::size_t>(std::ranges::count_if(angles, [](double x) { return x > rank_tolerance; }));
}

std::string rolling_rank_fault(const Model& model, System<double>& system, double t, std::span<const double> q,
                               std::span<const double> p) {
    if (system.velocity_constraints() == nullptr) {
        return {};
    }
    const Values at(system, t, q, p);
    const std::size_t d = at.v.size();
    for (std::size_t i = 0; i < at.k.size(); ++i) {
        double sum = at.k[i];
        for (std::size_t j = 0; j < d; ++j) {
            sum += std::abs(at.by_velocity[i * d + j]) + std::abs(at.by_position[i * d + j]);
        }
        if (!std::isfinite(sum)) {
            return point_at(
                model.nonholonomic[i].equation.place,
                fmt::format("the nonholonomic constraint {} or its derivative is not a finite number at the "
                            "initial values (value {})",
                            model.nonholonomic[i].name, at.k[i]));
        }
    }
    ReactionSolver<double> solver(system);
    if (solver.least_angle(t, q, p) > rank_tolerance) {
        return {};
    }
    const auto angles = solver.angles(t, q, p);
    const auto bad = std::ranges::find_if(angles, [](double x) { return !(x > rank_tolerance); });
    if (bad == angles.end()) {
        return {};
    }
    const auto row = static_cast<std::size_t>(bad - angles.begin());
    const auto shares = solver.shares(row);
    double largest = 0;
    for (const double share : shares) {
        largest = std::max(largest, std::abs(share));
    }
    std::vector<std::string> names;
    std::size_t rolling_joints = is_row_of_rolling_joint(model, row) ? 1 : 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (std::abs(shares[i]) > 1e-6 * largest) {
            names.push_back(model.constraint_name(i));
            rolling_joints += is_row_of_rolling_joint(model, i) ? 1 : 0;
        }
    }
    const auto independent = std::ranges::count_if(angles, [](double x) { return x > rank_tolerance; });
    if (names.empty()) {
        return fmt::format(
            "the nonholonomic constraint {} does not depend on the velocities at the initial values: all "
            "its derivatives k_v vanish there\nWrite it so that they do not (k instead of k^2), or start "
            "elsewhere.",
            model.constraint_name(row));
    }
    return fmt::format("some constraints are redundant at the initial values: {} of {} are independent\n  {}, {} are "
                       "linearly dependent\nRemove one of them, or start where they are independent.{}",
                       independent, angles.size(), fmt::join(names, ", "), model.constraint_name(row),
                       rolling_joints < 2 ? ""
                                          : " Wheels of one axle keep each other from sliding sideways: let all but "
                                            "one of them slide, slides = true in the joint.");
}

std::string rolling_fault(const Model& model, System<double>& system, double t, std::span<const double> q,
                          std::span<const double> p) {
    if (system.velocity_constraints() == nullptr) {
        return {};
    }
    constexpr double tolerance = 1e-10;
    const Values at(system, t, q, p);
    const std::size_t d = at.v.size();
    double fastest = 0;
    for (const double v : at.v) {
        fastest = std::max(fastest, std::abs(v));
    }
    bool small = true;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < at.k.size(); ++i) {
        double scale = 0;
        for (std::size_t j = 0; j < d; ++j) {
            scale += std::abs(at.by_velocity[i * d + j]) * fastest + std::abs(at.by_position[i * d + j] * q[j]);
        }
        small = small && std::abs(at.k[i]) <= tolerance * std::max(scale, 1e-3);
        worst = std::abs(at.k[i]) > std::abs(at.k[worst]) ? i : worst;
    }
    if (small) {
        return {};
    }
    return fmt::format("the initial velocities do not satisfy the nonholonomic constraints: largest |k| = {:.3g} ({})\n"
                       "Correct them, or let `project` move them to the nearest consistent state.",
                       std::abs(at.k[worst]), model.nonholonomic[worst].name);
}

}  // namespace libration
