// What the ends of a joint are: the ground, a body, or a point or a frame of a body.
#pragma once

#include "body_frame.hpp"

#include <libration/model/model.hpp>

namespace libration {

struct JointEnd {
    const Body* body = nullptr;             // null: the ground
    std::size_t number = 0;                 // of the body
    std::optional<Vector3> point, axis, x;  // in the frame of the body, where the end names a point or a frame

    [[nodiscard]] BodyFrame frame() const { return body == nullptr ? ground_frame() : frame_of(*body); }
    [[nodiscard]] BodyFrame start() const { return body == nullptr ? ground_frame() : start_frame_of(*body); }
};

// "ground", "crank" or "crank.pin"; an InputError at `place` otherwise.
JointEnd joint_end(const Model& model, const std::string& text, const Place& place);

bool is_planar(const Body& body);
// Of a planar body, over its coordinate, and at the start.
Expression planar_angle(const Body& body);
Expression planar_start_angle(const Body& body);

// The axis of a slender body, in its frame, and in the world over its coordinates.
Vector3 slender_axis(const Body& body);
Vector3 slender_direction(const Body& body);

// A formula over coordinates of bodies where these start, over parameters; none: not all of them say where.
std::optional<Expression> at_start(const Model& model, const Expression& formula);
Expression motion_at_start(const JointProperties& given);

// Names of bodies, and of the ground, for suggestions.
std::vector<std::string> joint_end_names(const Model& model);

}  // namespace libration
