// From a tangent to derivatives.
#include "start_pairing.hpp"
#include "point_gradient.hpp"

#include <unordered_map>

namespace libration {

namespace {

// What the momenta of parameters collected.
void add_collected(const ExtendedModel& extended, std::span<const double> pi, std::span<double> slopes) {
    for (std::size_t j = 0; j < extended.owner.size(); ++j) {
        if (extended.owner[j] < slopes.size()) {
            slopes[extended.owner[j]] -= pi[j];
        }
    }
}

}  // namespace

std::vector<double> parameter_slopes(const TangentTask& task, const ExtendedModel& extended,
                                     std::span<const Unknown> parameters, const StartTangent& w, const RowSums& sums) {
    if (const auto k = leaving_parameter(*task.model, extended, sums, task.start, parameters)) {
        refuse_start(parameters[*k]);
    }
    std::vector<double> of_x(w.p);
    for (auto& value : of_x) {
        value = -value;
    }
    ParameterAdjoint adjoint(*task.model, ParameterAdjoint::Result::exact);
    adjoint.add_start(task.start, of_x, w.q);
    auto slopes = adjoint.by(parameters);
    add_collected(extended, w.pi, slopes);
    return slopes;
}

std::vector<double> paired_with_start(const TangentTask& task, const ExtendedModel& extended,
                                      std::span<const Unknown> unknowns, const StateView& begin, const StartTangent& w,
                                      const std::function<RowSums()>& sums) {
    const std::size_t d = task.model->dimension;
    std::vector<Unknown> parameters;
    std::ranges::copy_if(unknowns, std::back_inserter(parameters),
                         [](const Unknown& unknown) { return unknown.kind == Unknown::Kind::parameter; });
    const bool at_once = parameters.size() >= many_unknowns && has_diagonal_mass(*task.model) && !task.start.project;
    std::vector<double> slopes(parameters.size());
    if (at_once) {
        slopes = parameter_slopes(task, extended, parameters, w, sums());
    } else {
        add_collected(extended, w.pi, slopes);
    }
    std::vector<double> derivatives(unknowns.size());
    std::unordered_map<std::string, std::size_t> places;
    std::vector<Unknown> others;
    for (std::size_t k = 0, parameter = 0; k < unknowns.size(); ++k) {
        const bool is_parameter = unknowns[k].kind == Unknown::Kind::parameter;
        derivatives[k] = is_parameter ? slopes[parameter++] : 0;
        if (!is_parameter || !at_once) {
            others.push_back(unknowns[k]);
            places.emplace(unknowns[k].name, k);
        }
    }
    for (const auto& group : grouped(others, dual_width)) {
        const auto along = start_directions<double>(*task.model, group, task.start);
        const auto scale = scale_changes(*along.system, d);
        for (std::size_t k = 0; k < group.size(); ++k) {
            double sum = 0;
            for (std::size_t j = 0; j < d; ++j) {
                const double dq = along.q[j].tangent[k] - scale[j][k] * begin.q[j];
                const double dp = along.p[j].tangent[k] + scale[j][k] * begin.p[j];
                sum += w.q[j] * dp - w.p[j] * dq;
            }
            derivatives[places.at(group[k].name)] += sum;
        }
    }
    return derivatives;
}

}  // namespace libration
