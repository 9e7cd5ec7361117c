// How a run starts along two directions at once, and what its loss says.
#include "methods/second_order.hpp"

#include "second_derivatives.hpp"

#include "function_text.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <unordered_map>

namespace libration {

namespace {

using InnerDual = Dual<double>;

// The part of the start that unknowns move: those of the outer tangents by 1, the direction by its sizes.
struct BothDirections {
    std::span<const Unknown> outer, inner;
    std::span<const double> sizes;

    // Adds what moves a value, of an unknown for which `is_it` holds.
    template <class Is>
    void move(SecondOrder& value, Is is_it) const {
        for (std::size_t k = 0; k < outer.size(); ++k) {
            value.tangent[k].value += is_it(outer[k]) ? 1 : 0;
        }
        for (std::size_t k = 0; k < inner.size(); ++k) {
            value.value.tangent[0] += is_it(inner[k]) ? sizes[k] : 0;
        }
    }
    [[nodiscard]] bool has(Unknown::Kind kind) const {
        const auto is = [kind](const Unknown& unknown) { return unknown.kind == kind; };
        return std::ranges::any_of(outer, is) || std::ranges::any_of(inner, is);
    }
};

// As changed_parameters() does it: a parameter that is a formula of others follows them, and its own change is added.
ParameterValues<SecondOrder> moved_parameters(const Model& model, const BothDirections& both) {
    ParameterValues<SecondOrder> replaced;
    for (const auto& parameter : model.parameters) {
        const auto is_it = [&](const Unknown& unknown) {
            return unknown.kind == Unknown::Kind::parameter && !unknown.element && unknown.name == parameter.name;
        };
        if (std::ranges::none_of(both.outer, is_it) && std::ranges::none_of(both.inner, is_it)) {
            continue;
        }
        const auto name = symbol(parameter.name);
        const auto so_far = parameter_values<SecondOrder>(model, replaced);
        const auto found = std::ranges::find(so_far.symbols, name);
        auto value = so_far.values[static_cast<std::size_t>(found - so_far.symbols.begin())];
        both.move(value, is_it);
        replaced.symbols.push_back(name);
        replaced.values.push_back(value);
    }
    auto given = parameter_values<SecondOrder>(model, replaced);
    for (std::size_t number = 0; number < model.parameters.size(); ++number) {
        const auto list = given.lists.find(model.parameters[number].name);
        if (list == given.lists.end()) {
            continue;
        }
        for (std::size_t e = 0; e < list->second.size(); ++e) {
            both.move(list->second[e], [&](const Unknown& unknown) {
                return unknown.kind == Unknown::Kind::parameter && unknown.number == number && unknown.element == e;
            });
        }
    }
    return given;
}

// Momenta of moved velocities: p = M(q) (v + its change).
void move_velocities(System<SecondOrder>& system, const SecondOrder& t, const BothDirections& both, std::size_t count,
                     std::span<const SecondOrder> q, std::vector<SecondOrder>& p) {
    std::vector<SecondOrder> v(p.size(), lit<SecondOrder>(0));
    system.velocity(t, q, p, v);
    for (std::size_t j = 0; j < count; ++j) {
        both.move(v[j], [j](const Unknown& unknown) {
            return unknown.kind == Unknown::Kind::velocity && unknown.number == j;
        });
    }
    system.apply_mass(t, q, v, p);
}

}  // namespace

// Changes of initial values are projected, first q, then p; so is everything else then, which is on the manifold and
// stays where it is.
template <>
Directions<InnerDual> forward_start<InnerDual>(const TangentTask& task, std::span<const Unknown> unknowns) {
    const auto& model = *task.model;
    const BothDirections both{unknowns, task.second, task.second_sizes};
    Directions<InnerDual> along{moved_parameters(model, both), nullptr, {}, {}};
    along.system = system_at<SecondOrder>(model, along.given);
    const auto t = from_double<SecondOrder>(task.start.t);
    auto initial = initial_state<SecondOrder>(model, along.given);
    for (std::size_t j = 0; j < model.dimension; ++j) {
        both.move(initial.q[j], [j](const Unknown& unknown) {
            return unknown.kind == Unknown::Kind::position && unknown.number == j;
        });
    }
    const std::size_t n = along.system->dimension();
    initial.q.resize(n, lit<SecondOrder>(0));
    initial.velocity.resize(n, lit<SecondOrder>(0));
    along.q = initial.q;
    along.p.assign(n, lit<SecondOrder>(0));
    along.system->apply_mass(t, along.q, initial.velocity, along.p);
    for (std::size_t j = 0; j < model.dimension; ++j) {
        if (initial.has_momentum[j]) {
            along.p[j] = initial.momentum[j];
        }
        both.move(along.p[j], [j](const Unknown& unknown) {
            return unknown.kind == Unknown::Kind::momentum && unknown.number == j;
        });
    }
    if (both.has(Unknown::Kind::velocity)) {
        move_velocities(*along.system, t, both, model.dimension, along.q, along.p);
    }
    if (task.start.project || both.has(Unknown::Kind::position) || both.has(Unknown::Kind::momentum) ||
        both.has(Unknown::Kind::velocity)) {
        Manifold<SecondOrder> manifold(*along.system);
        manifold.project_position(t, along.q, along.p);
        manifold.project_momentum(t, along.q, along.p);
    }
    for (std::size_t j = 0; j < task.start.q.size(); ++j) {
        along.q[j].value.value = task.start.q[j];
        along.p[j].value.value = task.start.p[j];
    }
    return along;
}

// The weight changes with the value of the row.
template <>
SecondOrder weight_of<InnerDual>(const Reading& reading, const InnerDual& row) {
    auto weight = from_double<SecondOrder>(reading.weight);
    for (std::size_t k = 0; k < dual_width; ++k) {
        weight.value.tangent[k] = reading.curvature * row.tangent[k];
    }
    return weight;
}

SecondDerivatives second_derivatives(const TangentTask& task, const std::vector<Unknown>& unknowns,
                                     const std::vector<std::vector<Unknown>>& groups) {
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
        places.emplace(unknowns[k].name, k);
    }
    SecondDerivatives result{.along = std::vector<double>(unknowns.size())};
    for (const auto& group : groups) {
        const auto found = run_forward<InnerDual>(task, group);
        if ((result.failure = found.failure)) {
            return result;
        }
        result.growth = std::max(result.growth, found.growth);
        for (std::size_t k = 0; k < group.size(); ++k) {
            result.along[places.at(group[k].name)] = found.loss.tangent[k].tangent[0];
        }
    }
    return result;
}

std::vector<Unknown> direction_of(const Model& model, std::span<const Derivative> direction) {
    std::vector<Unknown> unknowns;
    for (const auto& [name, size] : direction) {
        const auto found = unknowns_of(model, {name});
        if (found.size() != 1 || found[0].name != name) {
            throw InputError({.argument = "hessian_along",
                              .value = name,
                              .problem = "it is a list",
                              .remedy = fmt::format("name its elements, e.g. {}[0]", name)});
        }
        if (!std::isfinite(size)) {
            throw InputError({.argument = "hessian_along",
                              .value = name,
                              .problem = fmt::format("its part of the direction is {}", size),
                              .remedy = "give a finite number"});
        }
        unknowns.push_back(found[0]);
    }
    return unknowns;
}

void require_second_derivatives(const Model& model, const Method& method, const GradientOptions& options) {
    if (model.external) {
        throw InputError({.argument = "hessian_along",
                          .problem = "functions of this model cannot be traced, so they have no second derivatives",
                          .remedy = "write them so that they can be traced"});
    }
    if (!has_second_order(method, model.constraint_rows)) {
        throw InputError({.argument = "hessian_along",
                          .problem = fmt::format("there are no second derivatives of {} on this model", method.name()),
                          .remedy = fmt::format("use {}; or take differences of gradients", second_order_methods)});
    }
    for (const char* name : {"integral", "at"}) {
        if (find_call(options.loss, name)) {
            throw InputError({.argument = "hessian_along",
                              .problem = "second derivatives are those of a formula of the state at the end, or of "
                                         "`data`",
                              .remedy = "take differences of gradients for integrals and events"});
        }
    }
}

}  // namespace libration
