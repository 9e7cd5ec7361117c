// Where a joint is in both bodies: what they do not say comes from the world at the start.
#include "dynamics.hpp"
#include "joint_maker.hpp"

#include <fmt/format.h>

namespace libration {

const BodyFrame& JointMaker::start(std::size_t k) {
    if (!starts_[k]) {
        if (ends_[k].body != nullptr && !ends_[k].body->start) {
            refuse(given().between_places[k],
                   fmt::format("the joint {} needs to know where the body {} starts; give the body its own start, "
                               "or connect points of the bodies",
                               given().name, ends_[k].body->name));
        }
        starts_[k] = ends_[k].start();
    }
    return *starts_[k];
}

void JointMaker::place_points() {
    const bool is_distance = type_->has_length;
    const auto& at = given().at;
    joint_.rough = has_point(0) && has_point(1) && !is_distance;
    const std::size_t bare = (has_point(0) ? 0 : 1) + (has_point(1) ? 0 : 1);
    const bool needs_at = is_distance ? bare > 0 : bare == 2;
    if (at.empty() && needs_at) {
        refuse(given().place,
               is_distance ? fmt::format("the joint {} needs the points whose distance it keeps: name points of "
                                         "the bodies in 'between', or give 'at', [[x, y, z], [x, y, z]], in the "
                                         "world at the start",
                                         given().name)
                           : fmt::format("the joint {} needs the key 'at', the point of the joint in the world at "
                                         "the start, or points of the bodies in 'between'",
                                         given().name));
    }
    if (at.size() > (is_distance ? bare : 1)) {
        refuse(given().at_place, fmt::format("'at' of the joint {} is one point [x, y, z]", given().name));
    }
    if (is_distance && at.size() < bare) {
        refuse(given().at_place, fmt::format("'at' of the joint {} needs one point for each end: [[x, y, z], [x, "
                                             "y, z]]",
                                             given().name));
    }
    std::size_t used = 0;
    for (std::size_t k = 0; k < 2; ++k) {
        if (has_point(k)) {
            local_[k].point = *ends_[k].point;
            continue;
        }
        const std::size_t other = 1 - k;
        const auto world = at.empty() ? start(other).point(*ends_[other].point) : at[is_distance ? used++ : 0];
        local_[k].point = on_slender_axis(k, start(k).local_point(world));
        joint_.closed = true;
    }
}

void JointMaker::place_directions() {
    if (type_->directions == JointType::Directions::none) {
        return;
    }
    if (type_->directions == JointType::Directions::of_first) {
        place_first_direction();
        return;
    }
    for (std::size_t k = 0; k < 2; ++k) {
        if (has_axis(k) && !planar_) {
            const auto axis = unit(*ends_[k].axis);
            local_[k] =
                ends_[k].x ? frame_about(local_[k].point, axis, *ends_[k].x) : frame_about(local_[k].point, axis);
        }
    }
    for (std::size_t k = 0; k < 2; ++k) {
        if (planar_ || !has_axis(k)) {
            const auto world = world_frame(k);
            const auto local = [&](const Vector3& v) { return start(k).local_direction(v); };
            local_[k] = {local_[k].point, local(world.first), local(world.second), local(world.axis)};
            joint_.closed = joint_.closed || !(has_axis(0) && has_axis(1));
        }
    }
    joint_.rough = joint_.rough || (has_axis(0) && has_axis(1) && !planar_);
    align();
    if (type_->axes == 2 && !(has_axis(0) && has_axis(1))) {
        cross_references();
    }
}

// A frame at the second end says nothing about the line or plane, which is fixed in the first body.
void JointMaker::place_first_direction() {
    if (is_bare_rod(0)) {
        refuse(given().between_places[0],
               fmt::format("the joint {}: {}", given().name, undetermined_rotation(ends_[0].body->name)));
    }
    if (has_axis(0) && !planar_) {
        const auto axis = unit(*ends_[0].axis);
        local_[0] = frame_about(local_[0].point, axis);
        return;
    }
    if (given().axes.empty()) {
        refuse(given().place,
               fmt::format("the joint {} needs the key '{}', a direction in the world at the start{}", given().name,
                           type_->axes_key, planar_ ? "" : ", or a frame of the first body in 'between'"));
    }
    const Vector3 origin{0, 0, 0}, z{0, 0, 1};
    const auto axis = unit(given().axes[0]);
    const auto world = planar_ ? JointFrame{origin, cross(z, axis), z, axis} : frame_about(origin, axis);
    const auto local = [&](const Vector3& v) { return start(0).local_direction(v); };
    local_[0] = {local_[0].point, local(world.first), local(world.second), local(world.axis)};
}

JointFrame JointMaker::world_frame(std::size_t k) {
    const auto& axes = given().axes;
    const Vector3 origin{0, 0, 0}, z{0, 0, 1};
    const std::size_t other = 1 - k;
    if (!axes.empty()) {
        const auto axis = unit(axes[axes.size() == 2 ? k : 0]);
        if (planar_) {
            return {origin, cross(z, axis), z, axis};
        }
        return has_axis(other) && axes_wanted_ < 2
                   ? frame_about(origin, axis, start(other).direction(local_[other].first))
                   : frame_about(origin, axis);
    }
    if (axes_wanted_ < 2 && has_axis(other) && !planar_) {
        const auto& from = local_[other];
        const auto world = [&](const Vector3& v) { return start(other).direction(v); };
        return {origin, world(from.first), world(from.second), world(from.axis)};
    }
    if (axes_wanted_ > 0) {
        refuse(given().place,
               fmt::format("the joint {} needs the key '{}', {} in the world at the start{}", given().name,
                           type_->axes_key, axes_wanted_ == 2 ? "two directions" : "a direction",
                           planar_ ? "" : ", or frames of the bodies in 'between'"));
    }
    return frame_about(origin, z);
}

void JointMaker::cross_references() {
    const auto a = start(0).direction(local_[0].axis), b = start(1).direction(local_[1].axis);
    slant_ = dot(a, b);
    local_[0] = frame_about(local_[0].point, local_[0].axis, start(0).local_direction(b));
    local_[1] = frame_about(local_[1].point, local_[1].axis, start(1).local_direction(a));
}

JointFrame JointMaker::in_world(std::size_t k) const {
    const auto frame = ends_[k].frame();
    const auto& local = local_[k];
    if (!has_directions(k)) {
        return {frame.point(local.point), {}, {}, {}};
    }
    // A lent direction need not be looked for among the axes.
    const auto* body = ends_[k].body;
    const bool is_lent = body != nullptr && body->lent && body->lent->local == local.axis;
    return {frame.point(local.point), frame.direction(local.first), frame.direction(local.second),
            is_lent ? body->lent->world : frame.direction(local.axis)};
}

// Between planar bodies: the angle of the x axes of two frames. One frame, or none, has the axes of the other side.
Expression JointMaker::first_turn() {
    if (!planar_ || !has_axis(0) || !has_axis(1)) {
        return 0;
    }
    const auto x = [&](std::size_t k) { return start(k).direction(ends_[k].x.value_or(Vector3{1, 0, 0})); };
    const auto a = x(0), b = x(1);
    return atan2(cross(a, b)[2], dot(a, b));
}

JointPose JointMaker::pose_of_now() {
    JointPose pose;
    pose.first = in_world(0);
    pose.second = in_world(1);
    pose.slant = slant_;
    if (planar_) {
        const auto turn = [&](std::size_t k) {
            (void)start(k);
            return ends_[k].body == nullptr ? Expression(0)
                                            : planar_angle(*ends_[k].body) - planar_start_angle(*ends_[k].body);
        };
        pose.turn = turn(1) - turn(0) + first_turn();
    }
    if (type_->rolls()) {
        pose.radius = *given().factor;
        pose.is_wheel = is_wheel();
        pose.slides = given().slides;
    }
    if (type_->has_length) {
        const auto gap = [&] { return start(1).point(local_[1].point) - start(0).point(local_[0].point); };
        if (given().length) {
            pose.length = *given().length;
        } else {
            const auto d = gap();
            pose.length = sqrt(dot(d, d));
        }
        joint_.length = pose.length;
    }
    return pose;
}

}  // namespace libration
