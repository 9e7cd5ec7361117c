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

Readings::Readings(std::int64_t steps, std::vector<Reading> each, std::vector<double> corrections, double unit)
    : points_(1), steps_(steps), each_(std::move(each)), corrections_(std::move(corrections)), unit_(unit) {}

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
    const auto correction = [&](std::int64_t nodes_from_end) {
        const auto n = static_cast<std::size_t>(nodes_from_end);
        return n < corrections_.size() ? corrections_[n] : 0;
    };
    return unit_ * (1 + (correction(step) + correction(steps_ - step)));
}

std::span<const ReadPoint> Readings::from(std::int64_t step) {
    if (every_node()) {
        auto& node = points_[0];
        node.step = step;
        node.readings = each_;
        const double weight = node_weight(step);
        for (auto& reading : node.readings) {
            reading.weight *= weight;
        }
        if (step == steps_) {
            node.readings.insert(node.readings.end(), at_end_.begin(), at_end_.end());
        }
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
