// From the derivatives of a loss to a tangent.
#include "end_tangent.hpp"

#include "directions.hpp"

#include <numeric>

namespace libration {

namespace {

using D = Dual<double>;

std::vector<D> duals(std::span<const double> values, std::size_t size) {
    std::vector<D> result(size, lit<D>(0));
    for (std::size_t j = 0; j < values.size(); ++j) {
        result[j].value = values[j];
    }
    return result;
}

std::vector<D> without_tangents(std::vector<D> x) {
    for (auto& value : x) {
        value.tangent = {};
    }
    return x;
}

// Calls read(group) with tangents of `x` along the unit vectors of each group of coordinates.
template <class Read>
void along_each(std::span<D> x, std::span<const std::size_t> coordinates, Read read) {
    for (std::size_t first = 0; first < coordinates.size(); first += dual_width) {
        const auto group = coordinates.subspan(first, std::min<std::size_t>(dual_width, coordinates.size() - first));
        for (std::size_t k = 0; k < group.size(); ++k) {
            x[group[k]].tangent[k] = 1;
        }
        read(group);
        for (std::size_t k = 0; k < group.size(); ++k) {
            x[group[k]].tangent[k] = 0;
        }
    }
}

// The coordinates whose positions or momenta a loss may depend on: of many only few, where each velocity belongs to
// one momentum.
std::vector<std::size_t> coordinates_in(const Loss& loss, const System<D>& system, std::size_t dimension) {
    using Kind = NodeFormula::Input::Kind;
    std::vector<std::size_t> numbers;
    if (loss.needs_multipliers || system.inverse_masses().empty()) {
        numbers.resize(dimension);
        std::iota(numbers.begin(), numbers.end(), std::size_t{0});
        return numbers;
    }
    for (const auto& input : loss.inputs) {
        if (input.kind != Kind::time && std::ranges::find(numbers, input.index) == numbers.end()) {
            numbers.push_back(input.index);
        }
    }
    return numbers;
}

}  // namespace

std::vector<std::array<double, dual_width>> scale_changes(System<D>& along, std::size_t dimension) {
    std::vector<std::array<double, dual_width>> changes(dimension);
    const auto inverse = along.inverse_masses();
    for (std::size_t j = 0; j < dimension && !inverse.empty(); ++j) {
        for (std::size_t k = 0; k < dual_width; ++k) {
            changes[j][k] = inverse[j].tangent[k] / (2 * inverse[j].value);  // s = sqrt(m / m(theta))
        }
    }
    return changes;
}

Tangent loss_gradient(const Model& model, const Loss& loss, std::span<const Unknown> parameters,
                      const ExtendedModel& extended, const Node<double>& node) {
    const std::size_t d = model.dimension;
    Tangent gradient{std::vector<double>(d + extended.owner.size()), std::vector<double>(d + extended.owner.size())};
    const auto given = parameter_values<D>(model);
    const auto system = system_at<D>(model, given);
    auto q = duals(node.q, system->dimension()), p = duals(node.p, system->dimension());
    const D t = from_double<D>(node.t);
    LossReader<D> reader(loss, *system, given);
    const auto coordinates = coordinates_in(loss, *system, d);
    for (auto [from, to] : {std::pair{&q, &gradient.q}, std::pair{&p, &gradient.p}}) {
        along_each(*from, coordinates, [&, to = to](std::span<const std::size_t> group) {
            reader.read(t, q, p);
            for (std::size_t k = 0; k < group.size(); ++k) {
                (*to)[group[k]] = reader.value().tangent[k];
            }
        });
    }
    for (std::size_t first = 0; first < parameters.size(); first += dual_width) {
        const auto group = parameters.subspan(first, std::min<std::size_t>(dual_width, parameters.size() - first));
        const auto changed = direction_detail::changed_parameters<double>(model, group);
        const auto moved = system_at<D>(model, changed);
        const auto scale = scale_changes(*moved, d);
        for (std::size_t j = 0; j < d; ++j) {
            q[j].tangent = p[j].tangent = {};
            for (std::size_t k = 0; k < group.size(); ++k) {
                q[j].tangent[k] = scale[j][k] * q[j].value;
                p[j].tangent[k] = -scale[j][k] * p[j].value;
            }
        }
        LossReader<D> changed_reader(loss, *moved, changed);
        changed_reader.read(t, q, p);
        for (std::size_t k = 0; k < group.size(); ++k) {
            gradient.q[d + first + k] = changed_reader.value().tangent[k];
        }
    }
    return gradient;
}

Tangent end_tangent(const Tangent& gradient, System<double>& system, System<D>& dual, const Node<double>& node) {
    const std::size_t n = system.dimension(), m = system.constraints();
    Tangent w{gradient.p, gradient.q};
    w.q.resize(n);
    w.p.resize(n);
    for (auto& value : w.p) {
        value = -value;
    }
    if (m == 0) {
        return w;
    }
    const auto matrix = constraint_matrix(system);
    std::vector<double> G(system.pattern().entries()), A(matrix->entries()), rows(m), kick(n), v(n);
    system.jacobian(node.t, node.q, G);
    matrix->assemble(system, node.t, node.q, node.p, G, A);
    matrix->factor(A);
    const D t = from_double<D>(node.t);
    auto q = duals(node.q, n), p = duals(node.p, n);
    Manifold<D> manifold(dual);
    std::vector<D> hidden(m, lit<D>(0));
    // The fields of G v + g_t move q: until G w_q = 0.
    apply_jacobian<double>(system.pattern(), G, w.q, rows);
    for (auto& row : rows) {
        row = -row;
    }
    matrix->solve(A, rows);
    std::ranges::fill(kick, 0.0);
    add_transposed<double>(system.pattern(), G, rows, kick);
    // Their own changes with q, by the symmetry of second derivatives: with y the multipliers of these fields, the
    // gradient of y^T (G v + g_t) is that of G^T y along (v, 1) in (q, t), and of H_q along G^T y in p.
    system.velocity(node.t, node.q, node.p, v);
    for (std::size_t j = 0; j < n; ++j) {
        q[j].tangent[0] = v[j];
        p[j].tangent[1] = kick[j];
    }
    std::vector<D> moving(G.size(), lit<D>(0)), force(n, lit<D>(0));
    dual.jacobian({node.t, {1}}, q, moving);
    dual.force_gradient(t, without_tangents(q), p, force);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t e = system.pattern().row_start[i]; e < system.pattern().row_start[i + 1]; ++e) {
            w.p[system.pattern().column[e]] -= moving[e].tangent[0] * rows[i];
        }
    }
    system.solve_mass(node.t, node.q, node.p, kick, kick);
    for (std::size_t j = 0; j < n; ++j) {
        w.p[j] -= force[j].tangent[1];
        w.q[j] += kick[j];
    }
    // Those of g move p: until the derivative of G v + g_t along w vanishes.
    for (std::size_t j = 0; j < n; ++j) {
        q[j].tangent = {w.q[j]};
        p[j].tangent = {w.p[j]};
    }
    manifold.hidden_residual(t, q, p, hidden);
    for (std::size_t i = 0; i < m; ++i) {
        rows[i] = -hidden[i].tangent[0];
    }
    matrix->solve(A, rows);
    add_transposed<double>(system.pattern(), G, rows, w.p);
    return w;
}

}  // namespace libration
