// Validation of a model at its initial values.
#include "model/model_values.hpp"
#include <libration/analysis/check.hpp>
#include <libration/kit/method_record.hpp>

#include "integrate/force_checks.hpp"
#include "integrate/method_warnings.hpp"
#include "integrate/rolling_checks.hpp"
#include "integrate/start.hpp"
#include "manifold/manifold.hpp"
#include "manifold/rank.hpp"
#include "system/external_check.hpp"
#include <libration/kit/dual.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace libration {

namespace {

using DualScalar = Dual<double>;

class LargestDifference {
  public:
    void add(double a, double b) {
        difference_ = std::max(difference_, std::abs(a - b));
        size_ = std::max({size_, std::abs(a), std::abs(b)});
    }
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
double velocity_rate_error(System<double>& system, System<DualScalar>& dual_system, const StartState<double>& start) {
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

// The derivatives of non-Hamiltonian forces by q, v and lambda. Non-finite ones, as of |v| v at rest, are ignored.
double force_slope_error(System<double>& system, System<DualScalar>& dual_system, const StartState<double>& start) {
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
    std::set<std::uint32_t> columns;  // of a large model forces contain a few
    for (const auto& entry : forces->slopes()) {
        columns.insert(entry.column);
    }
    LargestDifference slope;
    for (const auto column : columns) {
        all[column].tangent = {1};
        dual_system.forces()->values(lit<DualScalar>(0), at.first(d), at.subspan(d, d), at.subspan(2 * d), values);
        all[column].tangent = {};
        for (std::size_t k = 0; k < slopes.size(); ++k) {
            const double other = values[forces->slopes()[k].component].tangent[0];
            if (forces->slopes()[k].column == column && std::isfinite(slopes[k]) && std::isfinite(other)) {
                slope.add(slopes[k], other);
            }
        }
    }
    return slope.relative();
}

// g_t; and G_q(v, v) + 2 g_qt v + g_tt, the derivative of G v + g_t along (v, 1) in (q, t).
double constraint_rate_error(System<double>& system, System<DualScalar>& dual_system, const StartState<double>& start) {
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
    return std::max(first.relative(), second.relative());
}

// Those of nonholonomic constraints by q and v.
double rolling_slope_error(System<double>& system, System<DualScalar>& dual_system, const StartState<double>& start) {
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

// Of functions that cannot be traced, by differences; of the terms beside them as ever, where no force knows the rows
// of the functions.
double external_self_test(const Model& model) {
    const auto start = initial_state<double>(model);
    const double error = check_external_derivatives(model, start.q, start.velocity).largest_error;
    if (!model.forces.empty()) {
        return error;
    }
    Model terms = model;
    terms.constraint_rows -= terms.external_rows();
    terms.external = nullptr;
    return std::max(error, derivative_self_test(terms));
}

}  // namespace

double derivative_self_test(const Model& model) {
    if (model.external) {
        return external_self_test(model);
    }
    const auto owner = make_system<double>(model);
    auto& system = *owner;
    const auto dual_owner = make_system<DualScalar>(model);
    auto& dual_system = *dual_owner;
    const auto start = start_state<double>(model, system);
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
    return std::max({force.relative(), speed.relative(), jacobian.relative(),
                     constraint_rate_error(system, dual_system, start), velocity_rate_error(system, dual_system, start),
                     force_slope_error(system, dual_system, start), rolling_slope_error(system, dual_system, start)});
}

namespace {

// Why the method of [run] cannot run the model.
std::string method_fault(const Model& model, System<double>& system) {
    if (!model.run.method) {
        return {};
    }
    try {
        const auto chosen = method(*model.run.method);
        auto reason = unmet_needs(chosen, system.properties(), system.constraints());
        if (reason.empty() && system.properties().forced) {
            static_cast<void>(make_stepper<double>(chosen, system));  // what it needs besides depends on the size, too
        }
        return reason;
    } catch (const InputError& error) {
        return error.what();
    }
}

}  // namespace

ModelCheck check(const Model& model) {
    ModelCheck result;
    const auto owner = make_system<double>(model);
    auto& system = *owner;
    const auto start = start_state<double>(model, system);
    result.name = model.name;
    result.dimension = model.dimension;
    result.constraints = model.multipliers();
    result.terms = model.potential.size() + model.constraints.size() + model.external_rows() +
                   (model.external && model.external->potential ? 1 : 0) + (model.kinetic ? 1 : 0) +
                   (model.hamiltonian ? 1 : 0) + model.forces.size() + model.nonholonomic.size() +
                   (model.field ? model.field->q.size() + model.field->v.size() : 0);
    // Without H there is no energy.
    result.energy =
        system.properties().hamiltonian ? system.energy(0, start.q, start.p) : std::numeric_limits<double>::quiet_NaN();
    result.rank = model.nonholonomic.empty() ? model.constraint_rows - dependent_constraints(system, 0, start.q).size()
                                             : independent_constraints(system, 0, start.q, start.p);
    const auto found = consistency(system, 0, start.q, start.p);
    result.position_residual = found.position;
    result.hidden_residual = std::max(found.hidden, rolling_residual(system, 0, start.q, start.p));
    if (auto fault = start_fault(model, system, start.q, start.p); !fault.empty()) {
        result.faults.push_back(std::move(fault));
    }
    if (auto fault = method_fault(model, system); !fault.empty()) {
        result.faults.push_back(std::move(fault));
    }
    if (result.faults.empty()) {
        const double last =
            model.run.duration.value_or(model.run.step.value_or(1) * static_cast<double>(model.run.steps.value_or(1)));
        result.warnings = force_warnings(model, system, start, {0, last});
        if (model.external) {
            result.warnings.push_back(untraced_warning(system));
        }
        for (auto& warning : stiffness_warnings(model, system, start, model.run.step.value_or(0))) {
            result.warnings.push_back(std::move(warning));
        }
    }
    result.derivative_error = derivative_self_test(model);
    // Two exact derivatives differ by round-off only; its size depends on cancellation in the formulas. Differences
    // have judged functions that cannot be traced before, by what they can see.
    if (result.faults.empty() && !model.external && !(result.derivative_error < 1e-6)) {
        result.faults.push_back(fmt::format("the derivative self-test found a relative difference of {:.2g}: the "
                                            "formulas suffer from cancellation or are not smooth at the initial values",
                                            result.derivative_error));
    }
    return result;
}

}  // namespace libration
