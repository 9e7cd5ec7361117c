// Rows and coordinates of each type of joint. Rows that are lengths are in the unit of length of the model, all others
// are sines or cosines: their gradients have length 1 where the joint holds.
#include "joint_types.hpp"

namespace libration {

namespace {

using Rows = std::vector<JointRowFormula>;
using Coordinates = std::vector<JointCoordinateFormula>;

Vector3 gap(const JointPose& pose) { return pose.second.point - pose.first.point; }

Rows operator+(Rows a, const Rows& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// Both points are one point.
Rows same_point(const JointPose& pose) {
    const auto d = gap(pose);
    return {{"x", d[0]}, {"y", d[1]}, {"z", d[2]}};
}

// Both axes are parallel.
Rows same_axis(const JointPose& pose) {
    return {{"axis[1]", dot(pose.first.axis, pose.second.first)},
            {"axis[2]", dot(pose.first.axis, pose.second.second)}};
}

// No turn about the axis.
Rows no_turn(const JointPose& pose) { return {{"turn", dot(pose.first.second, pose.second.first)}}; }

// The second point lies on the axis of the first one.
Rows on_axis(const JointPose& pose) {
    const auto d = gap(pose);
    return {{"across[1]", dot(d, pose.first.first)}, {"across[2]", dot(d, pose.first.second)}};
}

// (|d|^2 - L^2)/(2 L): its gradient is a unit vector where |d| = L, and its multiplier is the force in the rod.
Rows distance_rows(const JointPose& pose) {
    const auto d = gap(pose);
    return {{"length", (dot(d, d) - pose.length * pose.length) / (2 * pose.length)}};
}

Coordinates no_coordinates(const JointPose&) { return {}; }

JointCoordinateFormula angle_about_axis(const JointPose& pose) {
    return {"angle",
            "rate",
            true,
            std::nullopt,
            dot(pose.first.second, pose.second.first),
            dot(pose.first.first, pose.second.first)};
}

JointCoordinateFormula way_along_axis(const JointPose& pose) {
    return {"displacement", "speed", false, dot(gap(pose), pose.first.axis)};
}

// Angle 1 turns the second axis about the first one, angle 2 the second body about the second axis.
Coordinates universal_angles(const JointPose& pose) {
    const auto& a = pose.first;
    const auto& b = pose.second;
    return {{"angle1", "rate1", true, std::nullopt, dot(b.axis, a.second), dot(b.axis, a.first)},
            {"angle2", "rate2", true, std::nullopt, -dot(a.axis, b.second), dot(a.axis, b.first)}};
}

Rows planar_point(const JointPose& pose) {
    const auto d = gap(pose);
    return {{"x", d[0]}, {"y", d[1]}};
}

Rows planar_turn(const JointPose& pose) { return {{"turn", pose.turn}}; }

// n.(c - p) = R sqrt(1 - (n.u)^2) for the center c and the axle u of a wheel, a point p and the normal n of the plane:
// its force is n, of length 1, and it is smooth where the wheel does not lie flat. For a sphere u = 0.
Rows touching_rows(const JointPose& pose) {
    return {{"normal", dot(gap(pose), pose.first.axis) - pose.radius * sqrt(lean_of_wheel(pose))}};
}

using Slips = std::vector<SlipDirection>;

// Two directions that are fixed in the plane: what the steps of a method keep is the sum of a slip over the step, which
// then is a displacement in the plane. Where a wheel slides along its axle, only its forward direction u x n.
Slips slips_in_space(const JointPose& pose) {
    if (pose.slides) {
        return {{"slip[1]", 1 / sqrt(lean_of_wheel(pose)) * cross(pose.second.axis, pose.first.axis)}};
    }
    return {{"slip[1]", pose.first.first}, {"slip[2]", pose.first.second}};
}

constexpr std::array types{
    JointType{.name = "fixed",
              .axes = 0,
              .axes_key = "",
              .rows = [](const JointPose& p) { return same_point(p) + same_axis(p) + no_turn(p); },
              .coordinates = no_coordinates,
              .planar_rows = [](const JointPose& p) { return planar_point(p) + planar_turn(p); },
              .planar_coordinates = no_coordinates,
              .directions = JointType::Directions::same},
    JointType{.name = "revolute",
              .axes = 1,
              .axes_key = "axis",
              .has_motion = true,
              .rows = [](const JointPose& p) { return same_point(p) + same_axis(p); },
              .coordinates = [](const JointPose& p) { return Coordinates{angle_about_axis(p)}; },
              .planar_rows = planar_point,
              .planar_coordinates =
                  [](const JointPose& p) {
                      return Coordinates{{"angle", "rate", true, p.turn}};
                  },
              .directions = JointType::Directions::parallel_axes},
    JointType{.name = "prismatic",
              .axes = 1,
              .axes_key = "axis",
              .has_motion = true,
              .rows = [](const JointPose& p) { return on_axis(p) + same_axis(p) + no_turn(p); },
              .coordinates = [](const JointPose& p) { return Coordinates{way_along_axis(p)}; },
              .planar_rows = [](const JointPose& p) { return Rows{on_axis(p)[0]} + planar_turn(p); },
              .planar_coordinates = [](const JointPose& p) { return Coordinates{way_along_axis(p)}; },
              .planar_axes = 1,
              .directions = JointType::Directions::same},
    JointType{.name = "cylindrical",
              .axes = 1,
              .axes_key = "axis",
              .rows = [](const JointPose& p) { return on_axis(p) + same_axis(p); },
              .coordinates =
                  [](const JointPose& p) {
                      return Coordinates{angle_about_axis(p), way_along_axis(p)};
                  },
              .directions = JointType::Directions::parallel_axes},
    JointType{.name = "screw",
              .axes = 1,
              .axes_key = "axis",
              .has_pitch = true,
              .rows = [](const JointPose& p) { return on_axis(p) + same_axis(p); },
              .coordinates =
                  [](const JointPose& p) {
                      return Coordinates{angle_about_axis(p), way_along_axis(p)};
                  },
              .directions = JointType::Directions::parallel_axes},
    JointType{.name = "universal",
              .axes = 2,
              .axes_key = "axes",
              .rows =
                  [](const JointPose& p) {
                      return same_point(p) + Rows{{"axes", dot(p.first.axis, p.second.axis) - p.slant}};
                  },
              .coordinates = universal_angles,
              .directions = JointType::Directions::crossed_axes},
    JointType{.name = "spherical", .axes = 0, .axes_key = "", .rows = same_point, .coordinates = no_coordinates},
    JointType{.name = "planar",
              .axes = 1,
              .axes_key = "normal",
              .rows =
                  [](const JointPose& p) {
                      return Rows{{"normal", dot(gap(p), p.first.axis)}} + same_axis(p);
                  },
              .coordinates = [](const JointPose& p) { return Coordinates{angle_about_axis(p)}; },
              .directions = JointType::Directions::parallel_axes},
    JointType{.name = "point-on-line",
              .axes = 1,
              .axes_key = "axis",
              .has_motion = true,
              .rows = on_axis,
              .coordinates = [](const JointPose& p) { return Coordinates{way_along_axis(p)}; },
              .planar_rows = [](const JointPose& p) { return Rows{on_axis(p)[0]}; },
              .planar_coordinates = [](const JointPose& p) { return Coordinates{way_along_axis(p)}; },
              .planar_axes = 1,
              .directions = JointType::Directions::of_first},
    JointType{.name = "point-on-plane",
              .axes = 1,
              .axes_key = "normal",
              .rows =
                  [](const JointPose& p) {
                      return Rows{{"normal", dot(gap(p), p.first.axis)}};
                  },
              .coordinates = no_coordinates,
              .directions = JointType::Directions::of_first},
    JointType{.name = "distance",
              .axes = 0,
              .axes_key = "",
              .has_length = true,
              .rows = distance_rows,
              .coordinates =
                  [](const JointPose& p) {
                      return Coordinates{{"displacement", "speed", false, sqrt(dot(gap(p), gap(p)))}};
                  },
              .planar_rows = distance_rows,
              .planar_coordinates =
                  [](const JointPose& p) {
                      return Coordinates{{"displacement", "speed", false, sqrt(dot(gap(p), gap(p)))}};
                  }},
    JointType{.name = "rolling",
              .axes = 1,
              .axes_key = "axis",
              .rows = touching_rows,
              .coordinates = no_coordinates,
              .planar_rows = touching_rows,
              .planar_coordinates = no_coordinates,
              .directions = JointType::Directions::apart,
              .slips = slips_in_space,
              .planar_slips = [](const JointPose& p) {
                  return Slips{{"slip[1]", p.first.first}};
              }}};

}  // namespace

namespace {

// 0/sqrt(2) is no zero to the simplifier, which would carry it into every product.
Vector3 with_exact_zeros(Vector3 a) {
    for (auto& component : a) {
        if (component.is(Op::divide) && component.arguments()[0].is_constant(0)) {
            component = 0;
        }
    }
    return a;
}

}  // namespace

std::span<const JointType> joint_types() { return types; }

Expression lean_of_wheel(const JointPose& pose) {
    if (!pose.is_wheel) {
        return 1;
    }
    const auto cosine = dot(pose.first.axis, pose.second.axis);
    return 1 - cosine * cosine;
}

// Down along the normal for a sphere; in a wheel along the steepest radius.
Vector3 arm_to_contact(const JointPose& pose) {
    const auto& n = pose.first.axis;
    if (!pose.is_wheel) {
        return -pose.radius * n;
    }
    const auto& u = pose.second.axis;
    return -pose.radius / sqrt(lean_of_wheel(pose)) * (n - dot(n, u) * u);
}

JointFrame frame_about(const Vector3& point, const Vector3& given_axis) {
    const auto axis = with_exact_zeros(given_axis);
    const auto& [x, y, z] = axis;
    const auto sign = if_(less(z, 0), -1, 1);
    const auto a = -1 / (sign + z);
    const auto b = x * y * a;
    return {point, {1 + sign * x * x * a, sign * b, -sign * x}, {b, sign + y * y * a, -y}, axis};
}

JointFrame frame_about(const Vector3& point, const Vector3& axis, const Vector3& x) {
    const auto first = unit(x - dot(x, axis) * axis);
    return {point, first, cross(axis, first), axis};
}

}  // namespace libration
