// With y generic, y^T g and y^T (G v + g_t) at the start must not change with any parameter.
//
// Their gradients by (x, theta) and p are sparse products with the transposed G, by the symmetry of second derivatives
// also for the second one; ParameterAdjoint carries them on from the initial values to the parameters.
#include "start_check.hpp"

namespace libration {

namespace {

using D = Dual<double>;

// Nothing is special about it.
double generic_weight(std::size_t row) { return 1 + 0.5 * std::sin(1 + 3 * static_cast<double>(row)); }

// How much a sum changes with each parameter.
std::vector<double> changes_of(const Model& model, const ExtendedModel& extended, const StartPoint& start,
                               std::span<const Unknown> parameters, std::span<const double> x,
                               std::span<const double> p, ParameterAdjoint::Result result) {
    ParameterAdjoint adjoint(model, result);
    adjoint.add_start(start, x, p);
    auto changes = adjoint.by(parameters);
    for (std::size_t j = 0; j < extended.owner.size(); ++j) {
        if (extended.owner[j] < changes.size()) {
            changes[extended.owner[j]] += x[model.dimension + j];
        }
    }
    return changes;
}

}  // namespace

RowSums::RowSums(std::size_t dimension, std::size_t of_model) {
    for (auto* sums : {&g_, &f_}) {
        for (auto* part : {&sums->x, &sums->x_size}) {
            part->resize(dimension);
        }
        for (auto* part : {&sums->p, &sums->p_size}) {
            part->resize(of_model);
        }
    }
}

void RowSums::add_slope(std::size_t i, std::size_t j, double value, At at) {
    const double y = generic_weight(i);
    g_.x[j] += y * value;
    g_.x_size[j] += y * std::abs(value);
    g_row_ += y * std::abs(value * at.q);
    f_row_ += y * std::abs(value * at.v);
}

void RowSums::end_row() {
    g_.values = std::max(g_.values, g_row_);
    f_.values = std::max(f_.values, f_row_);
    g_row_ = f_row_ = 0;
}

void RowSums::add_curvature(std::size_t i, std::size_t j, double value) {
    f_.x[j] += generic_weight(i) * value;
    f_.x_size[j] += generic_weight(i) * std::abs(value);
}

void RowSums::divide_by_masses(std::span<const double> inverse) {
    for (std::size_t j = 0; j < f_.p.size(); ++j) {
        f_.p[j] = inverse[j] * g_.x[j];
        f_.p_size[j] = inverse[j] * g_.x_size[j];
    }
}

RowSums row_sums(System<double>& system, System<D>& dual, const StartPoint& start) {
    const std::size_t n = system.dimension();
    auto q = start.q, p = start.p;
    q.resize(n, 1.0);
    p.resize(n, 0.0);
    std::vector<double> G(system.pattern().entries()), v(n);
    system.jacobian(start.t, q, G);
    system.velocity(start.t, q, p, v);
    std::vector<D> along(n, lit<D>(0)), moving(G.size(), lit<D>(0));
    for (std::size_t j = 0; j < n; ++j) {
        along[j].value = q[j];
        along[j].tangent[0] = v[j];
    }
    dual.jacobian({start.t, {1}}, along, moving);
    RowSums sums(n, start.q.size());
    const auto& pattern = system.pattern();
    for (std::size_t i = 0; i < system.constraints(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            const auto j = pattern.column[e];
            sums.add_slope(i, j, G[e], {q[j], v[j]});
            sums.add_curvature(i, j, moving[e].tangent[0]);
        }
        sums.end_row();
    }
    sums.divide_by_masses(system.inverse_masses());
    return sums;
}

std::optional<std::size_t> leaving_parameter(const Model& model, const ExtendedModel& extended, const RowSums& sums,
                                             const StartPoint& start, std::span<const Unknown> parameters) {
    using Result = ParameterAdjoint::Result;
    const auto given = parameter_values<double>(model);
    for (std::size_t first = parameters.size(); const auto* sum : {&sums.of_g(), &sums.of_f()}) {
        const auto changes = changes_of(model, extended, start, parameters, sum->x, sum->p, Result::exact);
        const auto sizes = changes_of(model, extended, start, parameters, sum->x_size, sum->p_size, Result::size);
        for (std::size_t k = 0; k < first; ++k) {
            const double unit = direction_detail::unit_in(given, parameters[k]);
            if (!direction_detail::vanishes(changes[k], {sizes[k], sum->values}, unit)) {
                first = k;
            }
        }
        if (sum == &sums.of_f() && first < parameters.size()) {
            return first;
        }
    }
    return std::nullopt;
}

}  // namespace libration
