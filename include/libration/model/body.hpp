// Rigid bodies: the coordinates are the center of mass r and the axes that the kinetic energy contains. With principal
// axes as the columns of Q and I_1 = d_2 + d_3, I_2 = d_3 + d_1, I_3 = d_1 + d_2, the mass of Q[i,j] is d_j and H = 1/2
// trace(P D^-1 P^T) + U is separable with a constant diagonal mass; Q^T Q = 1 are the constraints.
// [ConsoleHairerLubich2013, Example 3]
//
//     kind      of d_j, zero are   coordinates besides r                         constraints
//     spatial   none               all columns of Q, row by row                  6
//     flat      one                two columns; the third is their cross product 3
//     slender   two                one column: the direction of the axis         1
//     planar                       an angle, in the plane z = 0                  0
//
// A body that is fixed has no r. The frame of the user may have other axes, and its origin elsewhere.
#pragma once

#include <libration/expression/expression.hpp>
#include <libration/text/source.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

enum class BodyKind { spatial, flat, slender, planar };

// An orientation in the form in which it was given.
struct Orientation {
    enum class Form { identity, matrix, quaternion, axis, euler, rpy };
    Form form = Form::identity;
    // Nine, row by row; w, x, y, z of any length but 0, where q and -q mean the same; an axis of any length but 0 and
    // an angle; three angles.
    std::vector<Expression> values;
    std::string sequence = {};  // of Euler's angles, "zxz": turns about axes of the body, one after the other

    // From the body to the world, row by row.
    [[nodiscard]] std::array<Expression, 9> matrix() const;
};

// Where it starts: r and v are those of the center of mass, of a free body only. All vectors of a planar body have two
// components, omega is one number, and the angle is its orientation.
struct BodyStart {
    std::vector<Expression> Q;           // nine, row by row; or
    std::vector<Expression> quaternion;  // w, x, y, z of any length but 0; q and -q mean the same
    std::vector<Expression> omega;       // angular velocity in the body frame; none: 0
    std::vector<Expression> r, v;        // of the center, of a free body only; no v: 0
    Place place;                         // of Q or the quaternion
    std::optional<Expression> angle = {};
    // In `[[body]]`, the place and the velocity of the origin of its frame instead of r and v; none: 0.
    bool in_body = false;
    std::vector<Expression> position = {}, velocity = {};
    Orientation orientation = {};  // instead of Q and the quaternion
};

// In the frame of the user.
struct BodyPoint {
    std::string name;
    std::array<Expression, 3> at;
    Place place = {};
};
struct BodyMark {
    std::string name;
    std::array<Expression, 3> at;
    std::array<Expression, 3> axis;                   // of any length but 0
    std::optional<std::array<Expression, 3>> x = {};  // likewise, and not along the axis
    Place place = {};
};

// A direction that something else fixes to a slender body, a joint: it settles the rotation about the body's own axis.
struct LentDirection {
    std::array<Expression, 3> local;  // in the frame of the user, not along the axis of the body
    std::array<Expression, 3> world;  // over coordinates of other bodies, of length 1
};

struct Body {
    std::string name;
    std::size_t first = 0;              // number of the first coordinate of the orientation
    std::size_t first_row = 0;          // its first constraint
    std::optional<std::size_t> centre;  // coordinate of r.x; none: a point of the body is fixed at the origin
    std::array<Expression, 3> d;        // of a planar body: the first is its moment of inertia
    Place place;
    BodyKind kind = BodyKind::spatial;
    std::vector<std::size_t> columns = {0, 1, 2};  // of the matrix of principal axes, those that are coordinates
    // The principal axes in the frame of the user, its columns; not `turned`: those of the user.
    std::array<Expression, 9> principal = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    bool turned = false;
    std::array<Expression, 3> com = {};  // the center of mass in the frame of the user
    std::vector<BodyPoint> points = {};
    std::vector<BodyMark> frames = {};
    std::optional<LentDirection> lent = {};
    // As given in the text of the model.
    std::vector<Expression> inertia = {};
    std::optional<Expression> mass = {};
    std::optional<BodyStart> start = {};

    // The number after that of its last coordinate.
    [[nodiscard]] std::size_t end() const { return first + (kind == BodyKind::planar ? 1 : 3 * columns.size()); }
    [[nodiscard]] std::size_t rows() const { return columns.size() * (columns.size() + 1) / 2; }
    // Of vectors: 2 for a planar body.
    [[nodiscard]] std::size_t dimension() const { return kind == BodyKind::planar ? 2 : 3; }
};

// The symbols of a body in expressions.
struct BodySymbols {
    std::vector<Expression> r;    // empty if a point is fixed
    std::array<Expression, 9> Q;  // the axes of the user's frame; of a slender body only what its own axis determines
    // r + Q ((x, y, z)^T - com): the position of a point of the body in the world; two components in the plane.
    [[nodiscard]] std::vector<Expression> at(const std::array<Expression, 3>& point) const;
    Body body = {};
};
BodySymbols body_symbols(const Body& body);
std::string body_coordinate_name(const Body& body, std::size_t coordinate);
// The center, or the columns of the matrix of principal axes, of momenta with prefix p_, of velocities with v_. Columns
// that are no coordinates are 0.
std::vector<Expression> centre_symbols(const Body& body, std::string_view prefix = {});
std::array<Expression, 9> column_symbols(const Body& body, std::string_view prefix = {});
// The principal axes in the world: columns that are no coordinates follow from the others. Of a flat or spatial body.
std::array<Expression, 9> principal_axes(const Body& body);

// The user's description of a body. Expressions in parameters; places are for messages.
struct BodyProperties {
    std::string name;
    // Three principal moments about the fixed point, or about the center of mass; or the symmetric matrix of nine, row
    // by row; or the one moment of a planar body.
    std::vector<Expression> inertia;
    bool fixed = false;
    std::optional<Expression> mass;  // needed by a free body, without effect if a point is fixed
    Place place, inertia_place, mass_place;
    bool planar = false;
    std::vector<Expression> com = {};
    std::vector<BodyPoint> points = {};
    std::vector<BodyMark> frames = {};
    std::optional<BodyStart> start = {};  // with in_body; none: see initial_body
    Place com_place = {};
};

// Formulas of orientation. Matrices are nine expressions, row by row.
std::array<Expression, 9> rotation_of(const std::array<Expression, 4>& quaternion);
// w, x, y, z: of unit length with w >= 0. Where w = 0, the largest of x, y, z (the first of equals) is positive.
std::array<Expression, 4> quaternion_of(const std::array<Expression, 9>& Q);
// Q' = Q [omega]_x
std::array<Expression, 9> spin(const std::array<Expression, 9>& Q, const std::array<Expression, 3>& omega);
// The inverse: from the skew part of Q^T V.
std::array<Expression, 3> angular_velocity(const std::array<Expression, 9>& Q, const std::array<Expression, 9>& V);
// In the world frame, about the fixed point or the center: the sum of Q_:j x P_:j.
std::array<Expression, 3> angular_momentum(const std::array<Expression, 9>& Q, const std::array<Expression, 9>& P);

// Joints between rigid bodies, or between a body and the ground: constraints that the model derives from the places of
// a point and of directions in both bodies, coordinates such as angles, and reactions. (decision 49)

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
    // Of a coupling, instead of `between`: two joints, or coordinates of them, "slide.displacement". The second one
    // follows the first one.
    std::array<std::string, 2> of = {};
    // Ratio of a gear, factor of a mimic, radius of a rack or of a rolling body, pitch of a screw.
    std::optional<Expression> factor = {};
    std::optional<Expression> offset = {};  // of a mimic
    std::array<Place, 2> of_places = {};
    Place factor_place = {}, offset_place = {};
    // The normal of the plane on which the second body rolls, toward that body, in the world at the start. `axes` is
    // then the axle of a wheel; without it the body is a sphere.
    std::optional<std::array<Expression, 3>> on = {};
    bool slides = false;  // a wheel: along its axle
    Place on_place = {}, slides_place = {};
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
    std::size_t number = 0;  // of the constraints of the model
    // A nonholonomic row, over velocities. Its number comes after those of all holonomic rows.
    bool on_velocity = false;
};

// Where a round body touches the plane on which it rolls, in the world: reactions act there, without a torque.
struct RollingContact {
    std::array<Expression, 3> point;
    Expression height;  // of its center above the plane
    Expression lean;    // the squared sine of the angle between the axle and the normal; 1 for a sphere
};

// How far the second body is turned or displaced against the first one, with its total derivative by time.
struct JointCoordinate {
    std::string name, rate_name;  // "angle" and "rate"
    Expression value, rate;
    bool is_angle = false;
    bool wraps = false;  // an angle that is known up to turns, unless the joint counts them
    // On the second body, of what does work 1 on the coordinate: as those of a row.
    std::array<Expression, 3> force = {}, torque = {};
};

// Coordinates of two other joints: value of the second one = factor * value of the first one + shift.
struct Coupling {
    struct End {
        std::size_t joint, coordinate;  // their numbers, in the model and in the joint
    };
    std::array<End, 2> of;
    Expression factor, shift;  // over parameters
};

struct Joint {
    JointProperties given;
    std::array<JointSide, 2> sides;
    std::vector<JointRow> rows;  // that of the motion, if there is one, is the last
    std::vector<JointCoordinate> coordinates;
    std::optional<Expression> length;  // that a distance keeps
    std::optional<Coupling> coupling;  // instead of two bodies; the sides are those of the second joint
    std::optional<RollingContact> contact;
    bool closed = false;  // by definition: at least one side lies where the other one starts
    bool rough = false;   // both sides name places of their own, which need not meet at the start

    [[nodiscard]] const std::string& name() const { return given.name; }
};

// Formulas of a joint for ModelBuilder. A joint without that coordinate has 0 there.
struct JointSymbols {
    Expression angle, rate, displacement, speed;
    std::array<Expression, 3> force, torque;  // on the second body at the joint, in the world
    std::array<Expression, 3> point;          // where a round body touches its plane; of other joints 0
};

}  // namespace libration
