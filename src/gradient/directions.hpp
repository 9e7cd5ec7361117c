// The start of a run along unknowns: how initial values, parameters and the system change with up to `dual_width` of
// them, as dual numbers.
#pragma once

#include "unknowns.hpp"

#include "manifold/manifold.hpp"
#include "system/system_at.hpp"
#include <libration/kit/dual.hpp>

#include <fmt/format.h>

#include <cmath>
#include <span>

namespace libration {

// Where a run starts.
struct StartPoint {
    double t = 0;
    std::vector<double> q, p;  // of the model, on the manifold
    bool project = false;      // they were moved there
};

template <class T>
struct Directions {
    using S = Dual<T>;
    ParameterValues<S> given;
    std::unique_ptr<System<S>> system;
    std::vector<S> q, p;
};

namespace direction_detail {

// Changes are added to what the model says: a parameter that is a formula of others follows them, too.
template <class T>
ParameterValues<Dual<T>> changed_parameters(const Model& model, std::span<const Unknown> unknowns) {
    using S = Dual<T>;
    ParameterValues<S> replaced;
    for (std::size_t number = 0; number < model.parameters.size(); ++number) {
        for (std::size_t k = 0; k < unknowns.size(); ++k) {
            // An element of a list may be a scalar parameter, too.
            if (unknowns[k].kind != Unknown::Kind::parameter || unknowns[k].name != model.parameters[number].name) {
                continue;
            }
            const auto name = symbol(unknowns[k].name);
            const auto so_far = parameter_values<S>(model, replaced);
            const auto found = std::ranges::find(so_far.symbols, name);
            S value = so_far.values[static_cast<std::size_t>(found - so_far.symbols.begin())];
            value.tangent[k] = value.tangent[k] + lit<T>(1);
            replaced.symbols.push_back(name);
            replaced.values.push_back(value);
        }
    }
    auto given = parameter_values<S>(model, replaced);
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
        if (unknowns[k].kind == Unknown::Kind::parameter && unknowns[k].element) {
            const auto list = given.lists.find(model.parameters[unknowns[k].number].name);
            auto& change = list->second[*unknowns[k].element].tangent[k];
            change = change + lit<T>(1);
        }
    }
    return given;
}

// As start_state() does it, along the unknowns.
template <class T>
void start_along(const Model& model, std::span<const Unknown> unknowns, double t, Directions<T>& to) {
    using S = Dual<T>;
    using Kind = Unknown::Kind;
    auto initial = initial_state<S>(model, to.given);
    const std::size_t n = to.system->dimension();
    const S time = from_double<S>(t);
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
        if (unknowns[k].kind == Kind::position) {
            auto& change = initial.q[unknowns[k].number].tangent[k];
            change = change + lit<T>(1);
        }
    }
    initial.q.resize(n, lit<S>(0));
    initial.velocity.resize(n, lit<S>(0));
    to.q = initial.q;
    to.p.assign(n, lit<S>(0));
    to.system->apply_mass(time, to.q, initial.velocity, to.p);
    for (std::size_t j = 0; j < model.dimension; ++j) {
        if (initial.has_momentum[j]) {
            to.p[j] = initial.momentum[j];
        }
    }
    std::vector<S> v(n, lit<S>(0)), p(n, lit<S>(0));
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
        const std::size_t j = unknowns[k].number;
        if (unknowns[k].kind == Kind::momentum) {
            to.p[j].tangent[k] = to.p[j].tangent[k] + lit<T>(1);
        } else if (unknowns[k].kind == Kind::velocity) {
            to.system->velocity(time, to.q, to.p, v);
            v[j].tangent[k] = v[j].tangent[k] + lit<T>(1);
            to.system->apply_mass(time, to.q, v, p);
            for (std::size_t i = 0; i < n; ++i) {
                to.p[i].tangent[k] = p[i].tangent[k];
            }
        }
    }
}

// Whether a sum of derivatives of this size vanishes but for rounding: their own, and that of the values, of the size
// `values` at the unknown `unit`, which are differentiated.
struct RowSize {
    double derivatives = 0, values = 0;
};
inline bool vanishes(double sum, const RowSize& size, double unit) {
    return std::abs(sum) <= 1e-9 * size.derivatives + 1e-12 * size.values / unit;
}

// What counts as a change of a parameter of the order of 1.
template <class S>
double unit_in(const ParameterValues<S>& given, const Unknown& unknown) {
    double value = 0;
    if (unknown.kind == Unknown::Kind::parameter && unknown.element) {
        const auto list = given.lists.find(std::string_view(unknown.name).substr(0, unknown.name.find('[')));
        value = std::abs(to_double(list->second[*unknown.element]));
    } else if (unknown.kind == Unknown::Kind::parameter) {
        const auto found = std::ranges::find(given.symbols, symbol(unknown.name));
        value = std::abs(to_double(given.values[static_cast<std::size_t>(found - given.symbols.begin())]));
    }
    return value > 0 ? value : 1;
}
template <class T>
double unit_of(const ParameterValues<Dual<T>>& given, const Unknown& unknown) {
    return unit_in(given, unknown);
}

}  // namespace direction_detail

// The number of the first unknown along which the start leaves the manifold; nothing: along none.
template <class T>
std::optional<std::size_t> leaving_direction(const Directions<T>& along, std::span<const Unknown> unknowns, double t) {
    using S = Dual<T>;
    auto& system = *along.system;
    const std::size_t m = system.constraints(), d = system.dimension();
    std::vector<S> g(m, lit<S>(0)), f(m, lit<S>(0)), rate(m, lit<S>(0)), v(d, lit<S>(0)),
        G(system.pattern().entries(), lit<S>(0));
    const S time = from_double<S>(t);
    system.constraint(time, along.q, g);
    system.jacobian(time, along.q, G);
    system.velocity(time, along.q, along.p, v);
    system.constraint_rate(time, along.q, rate);
    apply_jacobian<S>(system.pattern(), G, v, f);
    for (std::size_t i = 0; i < m; ++i) {
        f[i] = f[i] + rate[i];
        for (std::size_t k = 0; k < unknowns.size(); ++k) {
            // Of g: G dq and the rest, which is g_theta. Of G v + g_t: G dv, dG v, and the change of g_t.
            double moved = 0;
            direction_detail::RowSize of_g, of_f{std::abs(to_double(rate[i].tangent[k])), 0};
            for (std::size_t e = system.pattern().row_start[i]; e < system.pattern().row_start[i + 1]; ++e) {
                const auto j = system.pattern().column[e];
                const double term = to_double(T(G[e].value * along.q[j].tangent[k]));
                moved += term;
                of_g.derivatives += std::abs(term);
                of_g.values += std::abs(to_double(T(G[e].value * along.q[j].value)));
                of_f.derivatives += std::abs(to_double(T(G[e].value * v[j].tangent[k]))) +
                                    std::abs(to_double(T(G[e].tangent[k] * v[j].value)));
                of_f.values += std::abs(to_double(T(G[e].value * v[j].value)));
            }
            const double change = to_double(g[i].tangent[k]);
            of_g.derivatives += std::abs(change - moved);
            const double unit = direction_detail::unit_of<T>(along.given, unknowns[k]);
            if (!direction_detail::vanishes(change, of_g, unit) ||
                !direction_detail::vanishes(to_double(f[i].tangent[k]), of_f, unit)) {
                return k;
            }
        }
    }
    return std::nullopt;
}

// The initial values are those of one value of the parameter.
[[noreturn]] void refuse_start(const Unknown& parameter);

// As the model says them, before any projection.
template <class T>
Directions<T> directions_of_model(const Model& model, std::span<const Unknown> unknowns, double t) {
    Directions<T> along{direction_detail::changed_parameters<T>(model, unknowns), nullptr, {}, {}};
    along.system = system_at<Dual<T>>(model, along.given);
    direction_detail::start_along<T>(model, unknowns, t, along);
    return along;
}

// All of them parameters, or all of them initial values. Tangents of parameters must stay on the manifold, unless the
// start is projected; those of initial values are taken along their projection, first q, then p. InputError.
template <class T>
Directions<T> start_directions(const Model& model, std::span<const Unknown> unknowns, const StartPoint& start) {
    using S = Dual<T>;
    auto along = directions_of_model<T>(model, unknowns, start.t);
    const bool initial =
        std::ranges::any_of(unknowns, [](const Unknown& unknown) { return unknown.kind != Unknown::Kind::parameter; });
    const S time = from_double<S>(start.t);
    if (initial || start.project) {
        Manifold<S> manifold(*along.system);
        manifold.project_position(time, along.q, along.p);
        manifold.project_momentum(time, along.q, along.p);
    } else if (const auto k = leaving_direction<T>(along, unknowns, start.t)) {
        refuse_start(unknowns[*k]);
    }
    for (std::size_t j = 0; j < start.q.size(); ++j) {
        along.q[j].value = from_double<T>(start.q[j]);
        along.p[j].value = from_double<T>(start.p[j]);
    }
    return along;
}

// Parameters and initial values in separate groups of at most `width`.
std::vector<std::vector<Unknown>> grouped(const std::vector<Unknown>& unknowns, std::size_t width);

// A direction in which nothing is special, tangent to the manifold at a state: (dq, dp), of the size of the state.
template <class T>
void set_generic_direction(System<Dual<T>>& system, const T& t, std::span<Dual<T>> q, std::span<Dual<T>> p,
                           std::size_t lane) {
    using S = Dual<T>;
    const S time{t, {}};
    std::vector<S> x(q.begin(), q.end()), y(p.begin(), p.end());
    double q_size = 0, p_size = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
        x[j].tangent.fill(lit<T>(0));
        y[j].tangent.fill(lit<T>(0));
        q_size = std::max(q_size, std::abs(to_double(x[j])));
        p_size = std::max(p_size, std::abs(to_double(y[j])));
    }
    q_size = q_size > 0 ? q_size : 1;
    p_size = p_size > 0 ? p_size : 1;
    for (std::size_t j = 0; j < x.size(); ++j) {
        const auto number = static_cast<double>(j);
        x[j].tangent[lane] = from_double<T>(q_size * std::sin(1 + 3 * number));
        y[j].tangent[lane] = from_double<T>(system.properties().partitioned ? p_size * std::cos(2 + number) : 0);
    }
    Manifold<S> manifold(system);
    manifold.project_position(time, x, y);
    manifold.project_momentum(time, x, y);
    for (std::size_t j = 0; j < x.size(); ++j) {
        q[j].tangent[lane] = x[j].tangent[lane];
        p[j].tangent[lane] = y[j].tangent[lane];
    }
}

}  // namespace libration
