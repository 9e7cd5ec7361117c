// Derivatives compared, kind by kind.
#include "self_test.hpp"

#include "manifold/manifold.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace libration {

namespace {

using DualScalar = Dual<double>;

// Relative to the largest of two derivatives; where the terms of which they consist cancel, to a thousandth of these:
// round-off, some hundred eps of the terms, is then far below the bound for errors, and an error of 1e-9 of them above.
class LargestDifference {
  public:
    void add(double a, double b) {
        difference_ = std::max(difference_, std::abs(a - b));
        size_ = std::max({size_, std::abs(a), std::abs(b)});
    }
    void add_terms(double size) { size_ = std::max(size_, size / 1000); }
    [[nodiscard]] double relative() const { return size_ > 0 ? difference_ / size_ : 0; }

  private:
    double difference_ = 0, size_ = 0;
};

std::vector<DualScalar> constants(std::span<const double> values) {
    std::vector<DualScalar> result;
    for (const double value : values) {
        result.push_back(from_double<DualScalar>(value));
    }
    return result;
}

// Small models are differentiated along every coordinate, large ones along four directions that mix all coordinates: a
// wrong slope of any term shows, and the time stays that of two evaluations.
constexpr std::size_t small_dimension = 64;

std::size_t directions(std::size_t d) { return d <= small_dimension ? d : dual_width; }

// Component j of direction number k.
double component(std::size_t k, std::size_t j, std::size_t d) {
    if (d <= small_dimension) {
        return k == j ? 1 : 0;
    }
    return std::cos(static_cast<double>((k + 1) * (j % 1009) + j % 31));
}

// The sums over j of |f_i by x_j| |scale_j|: how large the terms of f_i are, which may cancel in f_i. `f` writes its
// values for x. Of large models their order of magnitude, from directions that mix all coordinates.
template <class F>
std::vector<double> term_sizes(std::vector<DualScalar>& x, std::span<const double> scale, std::size_t rows, F f) {
    const std::size_t d = x.size();
    std::vector<double> sizes(rows);
    std::vector<DualScalar> values(rows, lit<DualScalar>(0));
    for (std::size_t first = 0; first < directions(d); first += dual_width) {
        for (std::size_t j = 0; j < d; ++j) {
            for (std::size_t k = 0; k < dual_width; ++k) {
                x[j].tangent[k] = component(first + k, j, d) * std::abs(scale[j]);
            }
        }
        f(values);
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t k = 0; k < dual_width; ++k) {
                sizes[i] += std::isfinite(values[i].tangent[k]) ? std::abs(values[i].tangent[k]) : 0;
            }
        }
    }
    for (auto& value : x) {
        value.tangent = {};
    }
    return sizes;
}

double largest(const std::vector<double>& values) { return values.empty() ? 0 : *std::ranges::max_element(values); }

// H along directions of p, at a q whose tangents do not count.
DualScalar energy_by_momentum(System<DualScalar>& system, std::span<const DualScalar> q, std::span<const DualScalar> p,
                              std::size_t first) {
    std::vector<DualScalar> at(q.begin(), q.end()), along(p.begin(), p.end());
    for (std::size_t j = 0; j < along.size(); ++j) {
        at[j].tangent = {};
        for (std::size_t k = 0; k < dual_width; ++k) {
            along[j].tangent[k] = component(first + k, j, along.size());
        }
    }
    return system.energy(lit<DualScalar>(0), at, along);
}

// How the velocity changes along the motion without constraints, and by a kick alone.
double velocity_rate_error(System<double>& system, System<DualScalar>& dual_system, const StartValues& start) {
    const std::size_t d = system.dimension();
    std::vector<double> v(d), kick(d), rate(d), kicked(d);
    system.velocity(0, start.q, start.p, v);
    system.force_gradient(0, start.q, start.p, kick);
    for (auto& value : kick) {
        value = -value;
    }
    system.velocity_rate(0, start.q, start.p, v, kick, rate);
    system.solve_mass(0, start.q, start.p, kick, kicked);
    auto q = constants(start.q), p = constants(start.p);
    DualScalar t = lit<DualScalar>(0);
    t.tangent = {1};
    for (std::size_t j = 0; j < d; ++j) {
        q[j].tangent = {v[j]};
        p[j].tangent = {kick[j], kick[j]};
    }
    std::vector<DualScalar> velocity(d, lit<DualScalar>(0));
    dual_system.velocity(t, q, p, velocity);
    LargestDifference motion, alone;
    for (std::size_t j = 0; j < d; ++j) {
        motion.add(rate[j], velocity[j].tangent[0]);
        alone.add(kicked[j], velocity[j].tangent[1]);
    }
    return std::max(motion.relative(), alone.relative());
}

// Groups, from 1, of variables no two of which are in one component of a force; 0: in none. Greedy, column by column.
std::vector<std::size_t> column_groups(const AppliedForces<double>& forces, std::size_t columns) {
    std::vector<std::vector<std::uint32_t>> rows(forces.components().size()), components(columns);
    for (const auto& [component, column] : forces.slopes()) {
        rows[component].push_back(column);
        components[column].push_back(component);
    }
    std::vector<std::size_t> group(columns, 0);
    for (std::size_t column = 0; column < columns; ++column) {
        if (components[column].empty()) {
            continue;
        }
        std::set<std::size_t> taken;
        for (const auto component : components[column]) {
            for (const auto other : rows[component]) {
                taken.insert(group[other]);
            }
        }
        std::size_t free = 1;
        while (taken.contains(free)) {
            ++free;
        }
        group[column] = free;
    }
    return group;
}

// The derivatives of non-Hamiltonian forces by q, v and lambda. Non-finite ones, as of |v| v at rest, are ignored.
double force_slope_error(System<double>& system, System<DualScalar>& dual_system, const StartValues& start) {
    auto* forces = system.forces();
    if (forces == nullptr) {
        return 0;
    }
    const std::size_t d = system.dimension();
    std::vector<double> v(d), lambda(reaction_count(system)), slopes(forces->slopes().size());
    system.velocity(0, start.q, start.p, v);
    Manifold<double>(system).multipliers(0, start.q, start.p, lambda);
    forces->slope_values(0, start.q, v, lambda, slopes);
    auto all = constants(start.q);
    for (const auto* more : {&v, &lambda}) {
        const auto values = constants(*more);
        all.insert(all.end(), values.begin(), values.end());
    }
    const std::span<const DualScalar> at(all);
    std::vector<DualScalar> values(forces->components().size(), lit<DualScalar>(0));
    // Columns without a common component are seen side by side.
    const auto group = column_groups(*forces, all.size());
    const std::size_t groups = 1 + std::ranges::max(group);
    LargestDifference slope;
    for (std::size_t g = 1; g < groups; ++g) {
        for (std::size_t column = 0; column < all.size(); ++column) {
            all[column].tangent = {group[column] == g ? 1.0 : 0.0};
        }
        dual_system.forces()->values(lit<DualScalar>(0), at.first(d), at.subspan(d, d), at.subspan(2 * d), values);
        for (std::size_t k = 0; k < slopes.size(); ++k) {
            const double other = values[forces->slopes()[k].component].tangent[0];
            if (group[forces->slopes()[k].column] == g && std::isfinite(slopes[k]) && std::isfinite(other)) {
                slope.add(slopes[k], other);
            }
        }
    }
    return slope.relative();
}

// g_t; and G_q(v, v) + 2 g_qt v + g_tt, the derivative of G v + g_t along (v, 1) in (q, t).
double constraint_rate_error(System<double>& system, System<DualScalar>& dual_system, const StartValues& start) {
    const std::size_t d = system.dimension(), m = system.constraints();
    const auto& pattern = system.pattern();
    std::vector<double> v(d), rate(m), curvature(m);
    system.velocity(0, start.q, start.p, v);
    system.constraint_rate(0, start.q, rate);
    system.curvature(0, start.q, v, curvature);
    DualScalar t = lit<DualScalar>(0);
    t.tangent = {1};
    auto q = constants(start.q);
    std::vector<DualScalar> g(m, lit<DualScalar>(0)), rates(g), entries(pattern.entries(), lit<DualScalar>(0));
    dual_system.constraint(t, q, g);
    for (std::size_t j = 0; j < d; ++j) {
        q[j].tangent = {v[j]};
    }
    dual_system.jacobian(t, q, entries);
    dual_system.constraint_rate(t, q, rates);
    LargestDifference first, second;
    for (std::size_t i = 0; i < m; ++i) {
        double sum = rates[i].tangent[0];
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            sum += entries[e].tangent[0] * v[pattern.column[e]];
        }
        first.add(rate[i], g[i].tangent[0]);
        second.add(curvature[i], sum);
    }
    // Of G_q(v, v), which cancels where all points of a term move alike.
    auto at = constants(start.q);
    const auto slopes = term_sizes(at, v, pattern.entries(), [&](std::vector<DualScalar>& values) {
        dual_system.jacobian(lit<DualScalar>(0), at, values);
    });
    for (std::size_t i = 0; i < m; ++i) {
        double terms = 0;
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            terms += slopes[e] * std::abs(v[pattern.column[e]]);
        }
        second.add_terms(terms);
    }
    return std::max(first.relative(), second.relative());
}

// Those of nonholonomic constraints by q and v.
double rolling_slope_error(System<double>& system, System<DualScalar>& dual_system, const StartValues& start) {
    auto* rolling = system.velocity_constraints();
    if (rolling == nullptr) {
        return 0;
    }
    const std::size_t d = system.dimension(), n = rolling->count();
    std::vector<double> v(d), by_q(n * d), by_v(n * d);
    system.velocity(0, start.q, start.p, v);
    rolling->by_position(0, start.q, v, by_q);
    rolling->by_velocity(0, start.q, v, by_v);
    auto q = constants(start.q), speed = constants(v);
    std::vector<DualScalar> values(n, lit<DualScalar>(0));
    LargestDifference slope;
    for (const auto& [variables, slopes] : {std::pair{&q, &by_q}, std::pair{&speed, &by_v}}) {
        for (std::size_t j = 0; j < d; ++j) {
            (*variables)[j].tangent = {1};
            dual_system.velocity_constraints()->values(lit<DualScalar>(0), q, speed, values);
            (*variables)[j].tangent = {};
            for (std::size_t i = 0; i < n; ++i) {
                slope.add((*slopes)[i * d + j], values[i].tangent[0]);
            }
        }
    }
    return slope.relative();
}

}  // namespace

double derivative_error(System<double>& system, System<DualScalar>& dual_system, const StartValues& start) {
    const std::size_t d = system.dimension();
    const std::size_t m = system.constraints();
    std::vector<double> gradient(d), G(system.pattern().entries()), v(d);
    system.force_gradient(0, start.q, start.p, gradient);
    system.jacobian(0, start.q, G);
    system.velocity(0, start.q, start.p, v);
    auto p = constants(start.p);
    auto q = constants(start.q);
    std::vector<DualScalar> g(m, lit<DualScalar>(0));
    LargestDifference force, speed, jacobian;
    for (std::size_t first = 0; first < directions(d); first += dual_width) {
        for (std::size_t j = 0; j < d; ++j) {
            for (std::size_t k = 0; k < dual_width; ++k) {
                q[j].tangent[k] = component(first + k, j, d);
            }
        }
        const auto energy = dual_system.energy(lit<DualScalar>(0), q, p);
        dual_system.constraint(lit<DualScalar>(0), q, g);
        const auto by_momentum = energy_by_momentum(dual_system, q, p, first);
        for (std::size_t k = 0; k < dual_width; ++k) {
            double slope = 0, rise = 0;
            for (std::size_t j = 0; j < d; ++j) {
                slope += gradient[j] * component(first + k, j, d);
                rise += v[j] * component(first + k, j, d);
            }
            if (system.properties().hamiltonian) {
                force.add(slope, energy.tangent[k]);
                speed.add(rise, by_momentum.tangent[k]);
            }
            for (std::size_t i = 0; i < m; ++i) {
                double rate = 0;
                for (std::size_t e = system.pattern().row_start[i]; e < system.pattern().row_start[i + 1]; ++e) {
                    rate += G[e] * component(first + k, system.pattern().column[e], d);
                }
                jacobian.add(rate, g[i].tangent[k]);
            }
        }
    }
    if (system.properties().hamiltonian) {
        // Where nothing is finite, the values themselves say so.
        const auto by_position = [&](std::vector<DualScalar>& values) {
            dual_system.force_gradient(lit<DualScalar>(0), q, p, values);
        };
        const auto by_momentum = [&](std::vector<DualScalar>& values) {
            dual_system.velocity(lit<DualScalar>(0), q, p, values);
        };
        force.add_terms(largest(term_sizes(q, start.q, d, by_position)));
        force.add_terms(largest(term_sizes(p, start.p, d, by_position)));
        speed.add_terms(largest(term_sizes(q, start.q, d, by_momentum)));
        speed.add_terms(largest(term_sizes(p, start.p, d, by_momentum)));
    }
    return std::max({force.relative(), speed.relative(), jacobian.relative(),
                     constraint_rate_error(system, dual_system, start), velocity_rate_error(system, dual_system, start),
                     force_slope_error(system, dual_system, start), rolling_slope_error(system, dual_system, start)});
}

}  // namespace libration
