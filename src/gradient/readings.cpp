// Points in the order of time.
#include "readings.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace libration {

namespace {

// A step may be negative.
bool is_earlier(const ReadPoint& a, const ReadPoint& b) {
    return a.step != b.step ? a.step < b.step : std::abs(a.elapsed) < std::abs(b.elapsed);
}

}  // namespace

Readings::Readings(std::vector<ReadPoint> points) : points_(std::move(points)) {
    std::ranges::stable_sort(points_, is_earlier);
}

Readings::Readings(std::int64_t steps, std::vector<double> end_weights, double unit)
    : points_(1), steps_(steps), end_weights_(std::move(end_weights)), unit_(unit) {
    points_[0].readings.resize(1);
}

std::optional<std::int64_t> Readings::next(std::int64_t step) const {
    if (every_node()) {
        return step <= steps_ ? std::optional(std::max<std::int64_t>(step, 0)) : std::nullopt;
    }
    const auto found = std::ranges::lower_bound(points_, step, {}, &ReadPoint::step);
    return found == points_.end() ? std::nullopt : std::optional(found->step);
}

std::optional<std::int64_t> Readings::last(std::int64_t step) const {
    if (every_node()) {
        return step >= 0 ? std::optional(std::min(step, steps_)) : std::nullopt;
    }
    const auto found = std::ranges::upper_bound(points_, step, {}, &ReadPoint::step);
    return found == points_.begin() ? std::nullopt : std::optional(std::prev(found)->step);
}

double Readings::node_weight(std::int64_t step) const {
    const auto from_end = static_cast<std::size_t>(std::min(step, steps_ - step));
    return unit_ * (from_end < end_weights_.size() ? end_weights_[from_end] : 1);
}

std::span<const ReadPoint> Readings::from(std::int64_t step) {
    if (every_node()) {
        points_[0].step = step;
        points_[0].readings[0].weight = node_weight(step);
        return points_;
    }
    const auto found = std::ranges::equal_range(points_, step, {}, &ReadPoint::step);
    return {found.begin(), found.end()};
}

bool Readings::between_nodes() const {
    return std::ranges::any_of(points_, [](const ReadPoint& point) { return point.elapsed != 0; });
}

Readings Readings::of_rows(std::span<const std::size_t> rows) const {
    std::vector<ReadPoint> kept;
    const auto is_wanted = [&](const Reading& one) { return std::ranges::find(rows, one.row) != rows.end(); };
    for (const auto& point : points_) {
        if (std::ranges::any_of(point.readings, is_wanted)) {
            std::erase_if(kept.emplace_back(point).readings, std::not_fn(is_wanted));
        }
    }
    return Readings(std::move(kept));
}

Readings node_reading(const ReadPoint& node) {
    std::vector<ReadPoint> points{node};
    points[0].readings.resize(1);
    return Readings(std::move(points));
}

}  // namespace libration
