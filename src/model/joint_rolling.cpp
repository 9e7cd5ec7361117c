// Joints in which a round body, a wheel or a sphere, rolls on a plane.
//
// The body touches the plane, which is a holonomic row, and the slip, the velocity of its material point at the contact
// against that of the plane, vanishes, which is a nonholonomic row for each direction. With the center c, the arm a
// from there to the contact P and a point p of the plane
//
//     slip = c' + omega_2 x a - p' - omega_1 x (P - p).
//
// The derivative of the holonomic row by time is the slip along the normal, for the contact moves within the plane and
// along the rim. So all rows are components of one velocity at the contact, and reactions are forces there.
#include "dynamics.hpp"
#include "joint_maker.hpp"
#include "loads.hpp"

#include <fmt/format.h>

namespace libration {

void JointMaker::place_rolling() {
    require_round_body();
    place_plane();
    place_round_body();
}

void JointMaker::require_round_body() const {
    if (ends_[1].body == nullptr) {
        refuse(given().between_places[1],
               fmt::format("the rolling joint {0} is between a plane and a body: the first end has the plane and the "
                           "second one rolls; write between = [\"ground\", \"{1}\"]",
                           given().name, ends_[0].body->name));
    }
    for (std::size_t k = 0; k < 2; ++k) {
        if (is_bare_rod(k)) {
            refuse(given().between_places[k], undetermined_rotation(ends_[k].body->name));
        }
    }
    const auto& g = given();
    if (!g.factor) {
        refuse(g.place, fmt::format("the joint {} needs the key 'radius', that of the wheel or sphere", g.name));
    }
    if (g.slides && !is_wheel()) {
        superfluous(g.slides_place, "slides",
                    planar_ ? "planar bodies have no direction sideways"
                            : "a sphere has no axle along which it could slide");
    }
}

bool JointMaker::is_wheel() const { return !planar_ && (has_axis(1) || !given().axes.empty()); }

void JointMaker::place_plane() {
    const auto& g = given();
    if (has_point(0) && !g.at.empty()) {
        superfluous(g.at_place, "at", "the first end names a point of the plane");
    }
    if (!has_point(0) && g.at.size() != 1) {
        refuse(g.at.empty() ? g.place : g.at_place,
               fmt::format("the joint {} needs the key 'at', one point [x, y, z] of the plane in the world at the "
                           "start, or a point or frame of the first body in 'between'",
                           g.name));
    }
    local_[0].point = has_point(0) ? *ends_[0].point : start(0).local_point(g.at[0]);
    if (has_axis(0) && !planar_) {
        if (g.on) {
            superfluous(g.on_place, "on", "the first end is a frame, whose axis is the normal of the plane");
        }
        local_[0] = frame_about(local_[0].point, unit(*ends_[0].axis));
        return;
    }
    if (!g.on) {
        refuse(g.place, fmt::format("the joint {} needs the key 'on', the normal of the plane, toward the body that "
                                    "rolls, in the world at the start{}",
                                    g.name, planar_ ? "" : ", or a frame of the first body in 'between'"));
    }
    const Vector3 origin{0, 0, 0}, z{0, 0, 1};
    const auto normal = unit(*g.on);
    const auto world = planar_ ? JointFrame{origin, cross(normal, z), {0, 0, -1}, normal} : frame_about(origin, normal);
    const auto local = [&](const Vector3& v) { return start(0).local_direction(v); };
    local_[0] = {local_[0].point, local(world.first), local(world.second), local(world.axis)};
}

// The center is the point or frame that the second end names, otherwise the origin of the frame of the body.
void JointMaker::place_round_body() {
    local_[1].point = has_point(1) ? *ends_[1].point : Vector3{0, 0, 0};
    if (!is_wheel()) {
        return;
    }
    if (has_axis(1) && !given().axes.empty()) {
        superfluous(given().axes_place, "axis", "the second end is a frame, whose axis is that of the wheel");
    }
    const auto axle = has_axis(1) ? unit(*ends_[1].axis) : start(1).local_direction(unit(given().axes[0]));
    local_[1] = frame_about(local_[1].point, axle);
}

void JointMaker::add_contact(const JointPose& pose) {
    const auto& model = draft_->model();
    const auto arm = arm_to_contact(pose);
    const auto point = pose.second.point + arm;
    // With the angular velocity, half the sum of e x e' over the axes e of the body, instead of the rate of a point
    // that is fixed in it: within a step velocities of axes are not quite those of a rotation, and the sum has no part
    // of the strain. (decision 49)
    const auto velocity = [&](std::size_t k, const Vector3& place, const Vector3& lever) {
        if (ends_[k].body == nullptr) {
            return Vector3{0, 0, 0};
        }
        return Vector3{rate_of(place[0], model), rate_of(place[1], model), rate_of(place[2], model)} +
               cross(angular_velocity_of(model, *ends_[k].body), lever);
    };
    const auto slip = velocity(1, pose.second.point, arm) - velocity(0, pose.first.point, point - pose.first.point);
    const auto touching = (planar_ ? type_->planar_rows : type_->rows)(pose)[0];
    joint_.rows.push_back({touching.name, touching.value, pose.first.axis, {0, 0, 0}});
    for (const auto& [name, direction] : (planar_ ? type_->planar_slips : type_->slips)(pose)) {
        joint_.rows.push_back({name, dot(slip, direction), direction, {0, 0, 0}, 0, true});
    }
    joint_.contact =
        RollingContact{point, dot(pose.second.point - pose.first.point, pose.first.axis), lean_of_wheel(pose)};
}

void Draft::add_rolling_rows() {
    for (; joints_that_roll_ < model_.joints.size(); ++joints_that_roll_) {
        auto& joint = model_.joints[joints_that_roll_];
        for (auto& row : joint.rows) {
            if (row.on_velocity) {
                row.number = model_.nonholonomic.size();
                model_.nonholonomic.push_back(
                    {fmt::format("{}.{}", joint.name(), row.name), false, {row.value, joint.given.place}, true});
            }
        }
    }
}

void Draft::number_rolling_rows() {
    add_rolling_rows();
    for (auto& joint : model_.joints) {
        for (auto& row : joint.rows) {
            row.number += row.on_velocity ? model_.constraint_rows : 0;
        }
    }
}

}  // namespace libration
