// Aligning joints: an axis that deviates from that of an earlier joint by less than `[assembly] snap` becomes parallel
// to it, and a hinge that misses the axis of an earlier hinge between the same bodies is moved onto it. What decides
// are numbers, what results are formulas of the earlier joint, so that values still follow parameters.
#include "dynamics.hpp"
#include "joint_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// What is smaller is round-off of the same direction.
constexpr double least_miss = 1e-14;

std::array<double, 3> numbers_in(Draft& draft, const Vector3& vector, const Place& place) {
    std::array<double, 3> numbers{};
    std::ranges::transform(vector, numbers.begin(),
                           [&](const Expression& e) { return draft.number(e, "the axis of a joint", place); });
    return numbers;
}

double product(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The sine of the angle between unit vectors.
double sine_between(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

}  // namespace

void Draft::set_snap(Expression most, const Place& place) {
    const double value = number(most, "'snap' in `[assembly]`", place);
    if (!(value > 0 && value <= 0.01)) {
        refuse(place, fmt::format("'snap' in `[assembly]` is {}; it must be positive and at most 0.01: what misses by "
                                  "more was not meant to meet",
                                  value));
    }
    alignment_.most = std::move(most);
    alignment_.value = value;
}

void JointMaker::align() {
    if (!draft_->alignment().most || type_->axes == 0 || type_->directions == JointType::Directions::of_first ||
        planar_) {
        return;
    }
    for (std::size_t k = 0; k < 2; ++k) {
        if (ends_[k].body == nullptr || ends_[k].body->start) {
            align_axis(k);
        }
    }
    align_point();
}

void JointMaker::align_axis(std::size_t k) {
    auto& known = draft_->alignment();
    const auto& place = given().axes_place;
    const auto world = start(k).direction(local_[k].axis);
    const auto numbers = numbers_in(*draft_, world, place);
    for (const auto& axis : known.axes) {
        const double sine = sine_between(axis.numbers, numbers);
        if (sine > known.value) {
            continue;
        }
        if (sine > least_miss) {
            const auto turned = product(axis.numbers, numbers) < 0 ? Expression(-1) * axis.direction : axis.direction;
            local_[k] = frame_about(local_[k].point, start(k).local_direction(turned), local_[k].first);
            auto change =
                fmt::format("the axis of {} by {:.2g} rad, parallel to that of {}", given().name, sine, axis.joint);
            if (known.changes.empty() || known.changes.back() != change) {
                known.changes.push_back(std::move(change));
            }
        }
        return;
    }
    known.axes.push_back({given().name, world, numbers});
}

void JointMaker::align_point() {
    if (type_->axes != 1 || type_->name == "prismatic" || type_->name == "planar") {
        return;
    }
    auto& known = draft_->alignment();
    std::array<std::string, 2> bodies;
    for (std::size_t k = 0; k < 2; ++k) {
        if (ends_[k].body != nullptr && !ends_[k].body->start) {
            return;
        }
        bodies[k] = ends_[k].body == nullptr ? "ground" : ends_[k].body->name;
    }
    std::ranges::sort(bodies);
    const auto axis = start(0).direction(local_[0].axis), point = start(0).point(local_[0].point);
    const auto direction = numbers_in(*draft_, axis, given().axes_place);
    for (const auto& line : known.lines) {
        if (line.bodies != bodies ||
            sine_between(direction, numbers_in(*draft_, line.direction, given().axes_place)) > least_miss) {
            continue;
        }
        const auto gap = point - line.point;
        const auto across = gap - dot(gap, line.direction) * line.direction;
        const auto off = numbers_in(*draft_, across, given().at_place);
        const double distance = std::sqrt(product(off, off));
        if (distance > known.value) {
            continue;
        }
        if (distance > least_miss) {
            for (std::size_t k = 0; k < 2; ++k) {
                const auto there = start(k).point(local_[k].point);
                const auto away = there - line.point;
                local_[k].point = start(k).local_point(line.point + dot(away, line.direction) * line.direction);
            }
            known.changes.push_back(
                fmt::format("the point of {} by {:.2g}, onto the axis of {}", given().name, distance, line.joint));
        }
        return;
    }
    known.lines.push_back({given().name, bodies, point, axis});
}

}  // namespace libration
