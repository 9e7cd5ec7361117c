// Validation of a model at its initial values.
#include "model/model_values.hpp"
#include <libration/analysis/check.hpp>
#include <libration/kit/method_record.hpp>

#include "integrate/assembly_words.hpp"
#include "integrate/coordinate_scales.hpp"
#include "integrate/force_checks.hpp"
#include "integrate/joint_wrenches.hpp"
#include "integrate/method_warnings.hpp"
#include "integrate/projected_start.hpp"
#include "integrate/redundancy.hpp"
#include "integrate/rolling_checks.hpp"
#include "integrate/start.hpp"
#include "manifold/least_norm.hpp"
#include "manifold/manifold.hpp"
#include "manifold/rank.hpp"
#include "model/carried.hpp"
#include "self_test.hpp"
#include "system/external_check.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

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
    const auto system = make_system<double>(model);
    const auto dual_system = make_system<Dual<double>>(model);
    auto start = start_state<double>(model, *system);
    return derivative_error(*system, *dual_system, {std::move(start.q), std::move(start.p)});
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

constexpr std::size_t most_sets = 1000;

// Velocities that the constraints allow: of two generic ones, what is zero in one is zero in all.
std::vector<double> allowed_velocity(Manifold<double>& manifold, System<double>& system, std::span<const double> q) {
    std::vector<double> p(q.size()), v(q.size());
    for (std::size_t j = 0; j < v.size(); ++j) {
        v[j] = 1 + std::sin(1 + 2.0 * static_cast<double>(j));
    }
    system.apply_mass(0, q, v, p);
    manifold.project_momentum(0, q, p);
    system.velocity(0, q, p, v);
    return v;
}

double largest_of_body(const Body& body, std::span<const double> v) {
    double largest = 0;
    for (std::size_t j = body.centre.value_or(body.first); j < body.end(); ++j) {
        largest = std::max(largest, std::abs(v[j]));
    }
    return largest;
}

// Bodies without a velocity at the start. At a dead point, those of which the motion turns back have none, too; they
// have one a little further along the motion.
void find_immobile_bodies(const Model& model, System<double>& system, const StartState<double>& start,
                          ModelCheck& result) {
    constexpr double nothing = 1e-9, a_little = 1e-3;
    if (model.bodies.empty() || system.properties().moving_constraints || !model.nonholonomic.empty()) {
        return;
    }
    Manifold<double> manifold(system);
    const auto v = allowed_velocity(manifold, system, start.q);
    const auto scales = coordinate_scales(model, start.q);
    double fastest = 0;
    for (std::size_t j = 0; j < v.size(); ++j) {
        fastest = std::max(fastest, std::abs(v[j]) / scales[j]);
    }
    auto q = start.q;
    for (std::size_t j = 0; j < q.size() && fastest > nothing; ++j) {
        q[j] += a_little * v[j] / fastest;
    }
    const bool there = fastest > nothing && manifold.project_position(0, q, start.p) == 1;
    const auto v_there = there ? allowed_velocity(manifold, system, q) : v;
    for (const auto& body : model.bodies) {
        if (largest_of_body(body, v) < nothing) {
            const bool moves = largest_of_body(body, v_there) >= nothing;
            (moves ? result.at_dead_point : result.immobile).push_back(body.name);
        }
    }
}

}  // namespace

namespace {

CheckedAssembly checked_assembly(const Model& model) {
    const auto found = assemble(model, 0, WaysWanted::all);
    CheckedAssembly checked{found.moved, found.rough_gap,         found.gap, found.steps,
                            {},          moved_text(found.parts), {},        found.branch};
    for (const auto& part : found.parts) {
        checked.parts.push_back({part.name, part.by, part.angle, part.body});
    }
    const auto texts = way_texts(model, found);
    for (std::size_t k = 0; k < found.ways.size(); ++k) {
        checked.branches.push_back({found.ways[k].distance, texts[k], found.ways[k].q});
    }
    return checked;
}

// Of a start that cannot be assembled or projected, what there is to say of the initial values as they are.
ModelCheck check_as_given(const Model& model, const InputError& error) {
    Model given = model;
    given.assembly.reset();
    auto result = check(given);
    result.faults = {error.what()};
    return result;
}

ModelCheck check_projected(const Model& model) {
    try {
        const auto projected = with_projected_start(model);
        auto result = check(projected.model);
        result.start = projected.change;
        return result;
    } catch (const InputError& error) {
        return check_as_given(model, error);
    }
}

void find_undetermined_reactions(const Model& model, System<double>& system, const PreparedModel& ready,
                                 const StartState<double>& start, ModelCheck& result) {
    if (!ready.model.carried || model.joints.empty()) {
        return;
    }
    LeastNorm reactions(system, *ready.system, ready.model.carried->rows, rows_of_bodies(model));
    if (!reactions.available()) {
        return;  // as a warning says
    }
    JointWrenches wrenches(model, reaction_length(model, system, 0));
    reactions.set_state(0, start.q, start.p, wrenches.at({0, start.q, {}, start.p, {}}));
    const auto determined = reactions.determined_components();
    for (std::size_t k = 0; k < wrenches.names().size(); ++k) {
        if (!determined[k]) {
            result.undetermined.push_back(wrenches.names()[k]);
        }
    }
    result.reaction_length = wrenches.length();
}

}  // namespace

ModelCheck check(const Model& model, const CheckOptions& options) {
    if (options.project) {
        return check_projected(model);
    }
    ModelCheck result;
    if (model.assembly) {
        try {
            result.assembly = checked_assembly(model);
        } catch (const InputError& error) {
            return check_as_given(model, error);
        }
    }
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
    const auto ready = prepared(model, 0, most_sets);
    result.rank = model.nonholonomic.empty() ? model.constraint_rows - dependent_constraints(system, 0, start.q).size()
                                             : independent_constraints(*ready.system, 0, start.q, start.p);
    result.mobility = static_cast<std::int64_t>(model.dimension) - static_cast<std::int64_t>(result.rank);
    for (const auto& set : ready.sets) {
        result.redundant.emplace_back();
        for (const auto row : set) {
            result.redundant.back().push_back(model.constraint_name(row));
        }
    }
    find_undetermined_reactions(model, system, ready, start, result);
    const auto found = consistency(system, 0, start.q, start.p);
    result.position_residual = found.position;
    result.hidden_residual = std::max(found.hidden, rolling_residual(system, 0, start.q, start.p));
    if (!ready.fault.empty()) {
        result.faults.push_back(ready.fault);
    } else if (auto fault = start_fault(ready.model, *ready.system, start.q, start.p); !fault.empty()) {
        result.faults.push_back(std::move(fault));
    }
    if (auto fault = method_fault(ready.model, *ready.system); !fault.empty()) {
        result.faults.push_back(std::move(fault));
    }
    if (result.faults.empty()) {
        const double last =
            model.run.duration.value_or(model.run.step.value_or(1) * static_cast<double>(model.run.steps.value_or(1)));
        find_immobile_bodies(model, *ready.system, start, result);
        result.warnings = ready.warnings;
        for (auto& warning : force_warnings(ready.model, *ready.system, start, {0, last})) {
            result.warnings.push_back(std::move(warning));
        }
        if (model.external) {
            result.warnings.push_back(untraced_warning(system));
        }
        for (auto& warning : stiffness_warnings(ready.model, *ready.system, start, model.run.step.value_or(0))) {
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
