// From readings to tangents, lane by lane.
#include "point_tangents.hpp"

#include <libration/kit/make_system.hpp>

#include <algorithm>

namespace libration {

PointTangents::PointTangents(const Model& model, const Loss& loss, std::span<const Unknown> parameters,
                             const ExtendedModel& extended, System<Dual<double>>& dual)
    : dimension_(model.dimension), owners_(extended.owner.size()), system_(make_system<double>(extended.model)),
      manifold_(*system_), gradient_(model, loss, parameters, extended), end_tangent_(*system_, dual),
      q_(system_->dimension()), p_(q_.size()), low_(q_.size()) {}

void PointTangents::take(double t, std::span<const double> q, std::span<const double> p, Carried& to) {
    t_ = t;
    std::ranges::fill(q_, 0.0);
    std::ranges::fill(p_, 0.0);
    std::ranges::fill(low_, 0.0);
    std::ranges::copy(q, q_.begin());
    std::fill_n(q_.begin() + static_cast<std::ptrdiff_t>(q.size()), owners_, 1.0);
    std::ranges::copy(p, p_.begin());
    manifold_.refine_position(t_, q_, low_, p_);
    for (std::size_t j = 0; j < q_.size(); ++j) {
        to.q[j].value = q_[j];
        to.p[j].value = p_[j];
        to.low[j].value = low_[j];
    }
}

void PointTangents::take(const Node<Dual<double>>& node) {
    t_ = node.t.value;
    for (std::size_t j = 0; j < q_.size(); ++j) {
        q_[j] = node.q[j].value;
        p_[j] = node.p[j].value;
        low_[j] = node.q_low.empty() ? 0 : node.q_low[j].value;
    }
}

void PointTangents::set(const ReadPoint& point, std::span<const std::size_t> rows, std::span<const std::size_t> lanes,
                        Carried& to) {
    gradient_.read({t_, std::span(q_).first(dimension_), {}, std::span(p_).first(dimension_)});
    end_tangent_.set_state(node());
    for (std::size_t k = 0; k < lanes.size(); ++k) {
        Tangent sum{std::vector<double>(q_.size()), std::vector<double>(q_.size())};
        for (const auto& reading : point.readings) {
            const double weight = rows.empty() ? reading.weight : (rows[k] == reading.row ? 1 : 0);
            const auto& own = gradient_.of(reading.formula);
            for (std::size_t j = 0; j < own.q.size() && weight != 0; ++j) {
                sum.q[j] += weight * own.q[j];
                sum.p[j] += weight * own.p[j];
            }
        }
        const auto w = end_tangent_.of(sum);
        for (std::size_t j = 0; j < q_.size(); ++j) {
            to.q[j].tangent[lanes[k]] = w.q[j];
            to.p[j].tangent[lanes[k]] = w.p[j];
        }
    }
}

}  // namespace libration
