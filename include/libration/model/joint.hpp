// Joints between rigid bodies, or between a body and the ground: constraints that the model derives from the places of
// a point and of directions in both bodies, coordinates such as angles, and reactions. (decision 49)
#pragma once

#include <libration/expression/expression.hpp>
#include <libration/text/source.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// The user's description of a joint. Expressions in parameters; `motion` may also contain t.
struct JointProperties {
    std::string name;
    std::string type;  // "revolute", ..., see docs/model-format.md
    // "ground", a body, or a point or frame of a body: "crank.pin".
    std::array<std::string, 2> between;
    // In the world at the start: the point of the joint; of a distance, the points of both sides.
    std::vector<std::array<Expression, 3>> at = {};
    // In the world at the start: the axis, the two axes of a universal joint, the normal of a planar joint.
    std::vector<std::array<Expression, 3>> axes = {};
    std::optional<Expression> length = {};  // of a distance
    std::optional<Expression> zero = {};    // the angle at the start
    std::optional<Expression> motion = {};  // what the angle or displacement is at all times
    // Angles count turns and are observables; otherwise they are between -pi and pi, and no text can use them. Angles
    // between planar bodies count turns anyway.
    bool turns = false;
    Place place = {};
    std::array<Place, 2> between_places = {};
    Place at_place = {}, axes_place = {}, length_place = {}, zero_place = {}, motion_place = {};
};

// A point and three perpendicular unit vectors; the third is the axis of the joint.
struct JointFrame {
    std::array<Expression, 3> point, first, second, axis;
};

struct JointSide {
    std::optional<std::size_t> body;          // its number in the model; none: the ground
    std::optional<Expression> off_axis = {};  // how far the point was off the axis of a slender body, where it must lie
    JointFrame local = {};  // fixed in the body, in the user's frame of the body; in the world for the ground
};

// A row that vanishes, and what a multiplier of 1 is: the force on the second body and the torque about the point of
// the joint in that body, in the world. The reaction is minus the multiplier times these.
struct JointRow {
    std::string name;  // behind the name of the joint: the row hinge.x has the multiplier lambda_hinge.x
    Expression value;
    std::array<Expression, 3> force, torque;
};

// How far the second body is turned or displaced against the first one, with its total derivative by time.
struct JointCoordinate {
    std::string name, rate_name;  // "angle" and "rate"
    Expression value, rate;
    bool is_angle = false;
    bool wraps = false;  // an angle that is known up to turns, unless the joint counts them
};

struct Joint {
    JointProperties given;
    std::array<JointSide, 2> sides;
    std::vector<JointRow> rows;  // that of the motion, if there is one, is the last
    std::size_t first_row = 0;   // of the constraints of the model
    std::vector<JointCoordinate> coordinates;
    std::optional<Expression> length;  // that a distance keeps
    bool closed = false;               // by definition: at least one side lies where the other one starts

    [[nodiscard]] const std::string& name() const { return given.name; }
};

// Formulas of a joint for ModelBuilder. A joint without that coordinate has 0 there.
struct JointSymbols {
    Expression angle, rate, displacement, speed;
    std::array<Expression, 3> force, torque;  // on the second body at the joint, in the world
};

}  // namespace libration
