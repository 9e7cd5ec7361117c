// Steps separate from the trajectory.
#include "dense_output.hpp"
#include "methods/good_step.hpp"
#include <libration/kit/method_record.hpp>

#include "manifold/rank.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

// Order 2s - 2 of lobatto(s) is at least that of q, and no less than second order.
Method companion_of(const Method& method, const System<double>& system) {
    const int order = std::max(2, method.claims(system.properties(), system.constraints()).order);
    auto companion = libration::method(fmt::format("lobatto({})", (order + 3) / 2));
    if (const auto reason = unmet_needs(companion, system.properties(), system.constraints()); !reason.empty()) {
        throw InputError(fmt::format("dense output of {} is computed by {}, which cannot run this model; omit the "
                                     "output times and events, or use another method\n{}",
                                     method.name(), companion.name(), reason));
    }
    return companion;
}

void copy(std::span<const double> from, std::vector<double>& to) { to.assign(from.begin(), from.end()); }

}  // namespace

bool is_at_node(double t, double node, const Node<double>& left, const Node<double>& right) {
    const double size = std::max(std::abs(left.t), std::abs(right.t));
    return std::abs(t - node) <= 4 * std::numeric_limits<double>::epsilon() * size;
}

DenseOutput::DenseOutput(const Model& model, const Method& method)
    : system_(make_system<double>(model)), manifold_(*system_), companion_(!method.is_map()) {
    const auto claims = method.claims(system_->properties(), system_->constraints());
    // What a method keeps at round-off is left as the method gives it; of methods that diverge nothing can be
    // projected.
    project_position_ = companion_ || (!claims.position.exact && !claims.diverges);
    project_momentum_ = companion_ || (!claims.hidden.exact && !claims.diverges);
    stepper_ = make_stepper<double>(companion_ ? companion_of(method, *system_) : method, *system_);
}

void DenseOutput::step(const Node<double>& from, double h, double t, Point& to) {
    copy(from.p, start_p_);
    if (companion_) {  // whose momenta may fulfil the hidden constraint up to their order only
        manifold_.project_momentum(from.t, from.q, start_p_);
    }
    ++steps_;
    stepper_->start({from.t, from.q, from.q_low, start_p_}, h);
    const auto report = stepper_->advance();
    if (!good_step(report)) {
        throw DenseFailure(fmt::format("the dense output at t = {} could not be computed: the partial step from t = {} "
                                       "did not converge; try a smaller step",
                                       t, from.t));
    }
    const auto found = stepper_->trial_node();
    copy(found.q, to.q);
    copy(found.q_low, to.q_low);
    to.q_low.resize(to.q.size());
    copy(found.p, to.p);
}

void DenseOutput::mix(Point& to, const Point& other, double theta) {
    for (std::size_t k = 0; k < to.q.size(); ++k) {
        const double apart = (other.q[k] - to.q[k]) + (other.q_low[k] - to.q_low[k]);
        const auto sum = add(to.q[k], to.q_low[k], theta * apart);
        to.q[k] = sum.high;
        to.q_low[k] = sum.low;
        to.p[k] += theta * (other.p[k] - to.p[k]);
    }
}

void DenseOutput::project(double t, Point& point) {
    if (project_position_ && system_->constraints() > 0) {
        if (manifold_.project_position(t, point.q, point.p) != 1) {
            throw DenseFailure(fmt::format(
                "the dense output at t = {} could not be projected onto the constraints; try a smaller step", t));
        }
        manifold_.refine_position(t, point.q, point.q_low, point.p);
    }
    if (project_momentum_) {
        manifold_.project_momentum(t, point.q, point.p);
    }
}

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
    step(left, elapsed, t, point_);
    if (companion_) {
        const double whole = right.t - left.t;
        step(right, elapsed - whole, t, other_);
        mix(point_, other_, elapsed / whole);
    }
    project(t, point_);
    return {t, point_.q, point_.q_low, point_.p};
}

}  // namespace libration
