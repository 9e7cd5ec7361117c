// From the derivatives of a loss to a tangent.
#include "end_tangent.hpp"

#include "directions.hpp"

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

// Calls read(first) with tangents of `x` along the unit vectors first, first + 1, ...
template <class Read>
void along_each(std::span<D> x, std::size_t count, Read read) {
    for (std::size_t first = 0; first < count; first += dual_width) {
        const std::size_t width = std::min<std::size_t>(dual_width, count - first);
        for (std::size_t k = 0; k < width; ++k) {
            x[first + k].tangent[k] = 1;
        }
        read(first, width);
        for (std::size_t k = 0; k < width; ++k) {
            x[first + k].tangent[k] = 0;
        }
    }
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
    for (auto [from, to] : {std::pair{&q, &gradient.q}, std::pair{&p, &gradient.p}}) {
        along_each(*from, d, [&, to = to](std::size_t first, std::size_t width) {
            reader.read(t, q, p);
            for (std::size_t k = 0; k < width; ++k) {
                (*to)[first + k] = reader.value().tangent[k];
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
    std::vector<double> G(system.pattern().entries()), A(matrix->entries()), rows(m), kick(n);
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
    system.solve_mass(node.t, node.q, node.p, kick, kick);
    for (std::size_t j = 0; j < n; ++j) {
        w.q[j] += kick[j];
    }
    along_each(q, n, [&](std::size_t first, std::size_t width) {
        manifold.hidden_residual(t, q, p, hidden);
        for (std::size_t k = 0; k < width; ++k) {
            for (std::size_t i = 0; i < m; ++i) {
                w.p[first + k] -= hidden[i].tangent[k] * rows[i];
            }
        }
    });
    // Those of g move p: until the derivative of G v + g_t along w vanishes.
    for (std::size_t j = 0; j < n; ++j) {
        q[j].tangent[0] = w.q[j];
        p[j].tangent[0] = w.p[j];
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
