// Reproducible perturbations.
#include "pose_trials.hpp"

#include "coordinate_scales.hpp"
#include "pose_bodies.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace libration {

namespace {

constexpr double turn_angle = 6.283185307179586;

bool is_planar_angle(const Model& model, std::size_t coordinate) {
    return std::ranges::any_of(
        model.bodies, [&](const Body& body) { return body.kind == BodyKind::planar && body.first == coordinate; });
}

}  // namespace

PoseTrials::PoseTrials(const Model& model, PoseRows<double>& rows, std::vector<double> rough)
    : model_(&model), rough_(std::move(rough)), used_(rough_.size(), false), angle_(rough_.size(), false) {
    measure();
    classify(rows);
}

// [Steele, Lea, Flood 2014], the generator splitmix64.
double PoseTrials::uniform() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    z ^= z >> 31U;
    return std::ldexp(static_cast<double>(z >> 11U), -52) - 1;
}

// The largest range of plain coordinates, or of a component of points and of centers of bodies.
void PoseTrials::measure() {
    double range = range_of_places(*model_, rough_), size = size_of_places(*model_, rough_);
    if (const auto plain = std::span(rough_).first(model_->plain_coordinates.size()); !plain.empty()) {
        const auto [lowest, highest] = std::ranges::minmax(plain);
        range = std::max(range, highest - lowest);
        size = std::max({size, std::abs(highest), std::abs(lowest)});
    }
    extent_ = range > 0 ? range : (size > 0 ? size : 1.0);
}

void PoseTrials::classify(PoseRows<double>& rows) {
    const std::size_t d = rough_.size(), m = rows.count();
    auto generic = rough_;
    for (auto& value : generic) {
        value += extent_ / 8 * uniform();
    }
    std::vector<double> slopes(m * d), values(m), shifted(m);
    rows.slopes(generic, slopes);
    rows.values(generic, values);
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t i = 0; i < m; ++i) {
            used_[j] = used_[j] || slopes[i * d + j] != 0;
        }
        const bool may_be_angle = j < model_->plain_coordinates.size() || is_planar_angle(*model_, j);
        if (!used_[j] || !may_be_angle) {
            continue;
        }
        const double kept = generic[j];
        generic[j] += turn_angle;
        rows.values(generic, shifted);
        generic[j] = kept;
        bool same = true;
        for (std::size_t i = 0; i < m; ++i) {
            same =
                same && std::abs(shifted[i] - values[i]) <= 1e-9 * (std::abs(slopes[i * d + j]) + std::abs(values[i]));
        }
        angle_[j] = same;
    }
}

void PoseTrials::turn(const Body& body, double amount, std::span<double> q) {
    double w = 1, x = amount * uniform(), y = amount * uniform(), z = amount * uniform();
    const double length = std::sqrt(w * w + x * x + y * y + z * z);
    w /= length;
    x /= length;
    y /= length;
    z /= length;
    const std::array<double, 9> R{1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                                  2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                                  2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    turn_columns<double>(body, R, q);
}

std::vector<double> PoseTrials::next() {
    constexpr std::array<double, 4> lengths{0.5, 1, 0.25, 2}, turns{1, 3, 0.3, 10};
    const std::size_t k = count_++ % lengths.size();
    auto q = rough_;
    const std::size_t end = model_->bodies.empty() ? q.size() : first_coordinate(model_->bodies.front());
    for (std::size_t j = 0; j < end; ++j) {
        const double by = uniform();
        q[j] += !used_[j] ? 0.0 : by * (angle_[j] ? turn_angle / 2 : lengths.at(k) * extent_);
    }
    for (const auto& body : model_->bodies) {
        for (std::size_t j = first_coordinate(body); j < body.first; ++j) {
            q[j] += lengths.at(k) * extent_ * uniform();
        }
        if (body.kind == BodyKind::planar) {
            q[body.first] += turn_angle / 2 * uniform();
        } else {
            turn(body, turns.at(k), q);
        }
    }
    return q;
}

void PoseTrials::unwind(std::span<double> q) const {
    for (std::size_t j = 0; j < q.size(); ++j) {
        if (angle_[j]) {
            q[j] -= turn_angle * std::floor((q[j] - rough_[j]) / turn_angle + 0.5);
        }
    }
}

bool PoseTrials::proper(std::span<const double> q) const {
    return std::ranges::all_of(model_->bodies, [&](const Body& body) {
        if (orientation_columns(body) < 3) {
            return true;
        }
        const auto third = cross_product(orientation_column(body, q, 0), orientation_column(body, q, 1));
        const auto given = orientation_column(body, q, 2);
        return third[0] * given[0] + third[1] * given[1] + third[2] * given[2] > 0;
    });
}

}  // namespace libration
