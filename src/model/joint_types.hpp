// The types of joints: which rows and coordinates follow from the frames of both sides. A new type is one entry of the
// table in joint_types.cpp.
#pragma once

#include "body_frame.hpp"

#include <libration/model/body.hpp>

#include <span>
#include <string_view>

namespace libration {

// Both sides in the world, where they are.
struct JointPose {
    JointFrame first, second;
    Expression turn;    // between planar bodies: the angle of the second body minus that of the first
    Expression length;  // of a distance
    Expression slant;   // of a universal joint: the cosine between its axes
    // Of a rolling body: the second axis is the axle of a wheel. A sphere has none, 0.
    Expression radius;
    bool is_wheel = false;
    bool slides = false;  // along the axle
};

struct JointRowFormula {
    std::string name;
    Expression value;
};

// The component of a slip along this direction, of length 1, vanishes: a nonholonomic row.
struct SlipDirection {
    std::string name;
    Vector3 direction;
};

// An angle is that of the point (cosine, sine); between planar bodies, or where it is a length, it is `value`.
struct JointCoordinateFormula {
    std::string name, rate_name;
    bool is_angle = false;
    std::optional<Expression> value = {};
    Expression sine = {}, cosine = {};
};

struct JointType {
    std::string_view name;
    std::size_t axes;           // how many directions it needs: 0, 1 or 2
    std::string_view axes_key;  // "axis", "axes" or "normal"
    bool has_length = false;    // the key `length`
    bool has_motion = false;    // of its only coordinate
    bool has_pitch = false;     // its displacement, the second coordinate, follows its angle, the first one
    std::vector<JointRowFormula> (*rows)(const JointPose& pose);
    std::vector<JointCoordinateFormula> (*coordinates)(const JointPose& pose);
    // The same between planar bodies; null: it cannot connect them.
    std::vector<JointRowFormula> (*planar_rows)(const JointPose& pose) = nullptr;
    std::vector<JointCoordinateFormula> (*planar_coordinates)(const JointPose& pose) = nullptr;
    std::size_t planar_axes = 0;
    // What it does to the directions of both bodies, where it says anything: their axes are parallel, and the bodies
    // may turn about it or not. `of_first`: only the first body has directions.
    // `apart`: both have directions that say nothing about each other.
    enum class Directions { none, of_first, parallel_axes, same, crossed_axes, apart };
    Directions directions = Directions::none;
    // The second body is round, with the key `radius`, on a plane of the first one, with the key `on`: the material
    // points that meet at the contact do not slip against each other in these directions. Null: it does not roll.
    std::vector<SlipDirection> (*slips)(const JointPose& pose) = nullptr;
    std::vector<SlipDirection> (*planar_slips)(const JointPose& pose) = nullptr;
    [[nodiscard]] bool rolls() const { return slips != nullptr; }
};

std::span<const JointType> joint_types();

// Of a rolling body: from its center to the point that touches the plane.
Vector3 arm_to_contact(const JointPose& pose);
// The squared sine of the angle between the axle and the normal; 1 for a sphere.
Expression lean_of_wheel(const JointPose& pose);

// Two unit vectors that make a right-handed frame with the axis, a unit vector. [Duff et al., Building an orthonormal
// basis, revisited, 2017]
JointFrame frame_about(const Vector3& point, const Vector3& axis);
// The same with the part of x that is perpendicular to the axis as the first direction.
JointFrame frame_about(const Vector3& point, const Vector3& axis, const Vector3& x);

// The message on a type that is none: what it is called here, or what is similar.
std::string unknown_joint_type(const std::string& type, const std::string& joint);

}  // namespace libration
