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
};

struct JointRowFormula {
    std::string name;
    Expression value;
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
    enum class Directions { none, of_first, parallel_axes, same, crossed_axes };
    Directions directions = Directions::none;
};

std::span<const JointType> joint_types();

// Two unit vectors that make a right-handed frame with the axis, a unit vector. [Duff et al., Building an orthonormal
// basis, revisited, 2017]
JointFrame frame_about(const Vector3& point, const Vector3& axis);
// The same with the part of x that is perpendicular to the axis as the first direction.
JointFrame frame_about(const Vector3& point, const Vector3& axis, const Vector3& x);

// The message on a type that is none: what it is called here, or what is similar.
std::string unknown_joint_type(const std::string& type, const std::string& joint);

}  // namespace libration
