// Steps separate from the trajectory.
#include "dense_output.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

DenseKind dense_kind(const Method& method, const SystemProperties& properties, std::size_t constraints) {
    const auto claims = method.claims(properties, constraints);
    const bool companion = !method.is_map();
    return {.companion = companion,
            .project_position = companion || (!claims.position.exact && !claims.diverges),
            .project_momentum = companion || (!claims.hidden.exact && !claims.diverges)};
}

Method dense_method(const Method& method, const SystemProperties& properties, std::size_t constraints) {
    if (method.is_map()) {
        return method;
    }
    // Order 2s - 2 of lobatto(s) is at least that of q, and no less than second order.
    const int order = std::max(2, method.claims(properties, constraints).order);
    auto companion = libration::method(fmt::format("lobatto({})", (order + 3) / 2));
    if (const auto reason = unmet_needs(companion, properties, constraints); !reason.empty()) {
        throw InputError(fmt::format("dense output of {} is computed by {}, which cannot run this model; omit the "
                                     "output times and events, or use another method\n{}",
                                     method.name(), companion.name(), reason));
    }
    return companion;
}

bool is_at_node(double t, double node, const Node<double>& left, const Node<double>& right) {
    const double size = std::max(std::abs(left.t), std::abs(right.t));
    return std::abs(t - node) <= 4 * std::numeric_limits<double>::epsilon() * size;
}

DenseOutput::DenseOutput(const Model& model, const Method& method)
    : system_(make_system<double>(model)), dense_(*system_, method) {}

Node<double> DenseOutput::between(const Node<double>& left, const Node<double>& right, double t) {
    for (const auto& node : {left, right}) {
        if (is_at_node(t, node.t, left, right)) {
            return node;
        }
    }
    return find(left, right, t - left.t, t);
}

Node<double> DenseOutput::after(const Node<double>& left, const Node<double>& right, double elapsed) {
    const double whole = right.t - left.t, nothing = 1e-15 * std::abs(whole);
    if (std::abs(elapsed) <= nothing) {
        return left;
    }
    return std::abs(whole - elapsed) <= nothing ? right : find(left, right, elapsed, left.t + elapsed);
}

Node<double> DenseOutput::find(const Node<double>& left, const Node<double>& right, double elapsed, double t) {
    using Fault = DenseSteps<double>::Fault;
    const auto fault = dense_.find(left, right, elapsed, t);
    if (fault == Fault::step) {
        throw DenseFailure(fmt::format("the dense output at t = {} could not be computed: the partial step from t = {} "
                                       "did not converge; try a smaller step",
                                       t, left.t));
    }
    if (fault == Fault::projection) {
        throw DenseFailure(fmt::format(
            "the dense output at t = {} could not be projected onto the constraints; try a smaller step", t));
    }
    return {t, dense_.q(), dense_.q_low(), dense_.p(), left.turns};
}

}  // namespace libration
