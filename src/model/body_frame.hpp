// Frames of rigid bodies as formulas: what joints, springs, forces and drawings know of a body. The coordinates behind
// them (nine entries of Q, fewer for flat and slender bodies, an angle for planar ones) are the body's own affair.
#pragma once

#include <libration/model/body.hpp>

#include <array>

namespace libration {

using Vector3 = std::array<Expression, 3>;
using Matrix3 = std::array<Expression, 9>;  // row by row

struct BodyFrame {
    Vector3 origin{};  // of the user's frame, in the world
    Matrix3 axes{};    // from the user's frame to the world: its columns are the axes of the body

    // In the world, of what is given in the body.
    [[nodiscard]] Vector3 point(const Vector3& local) const;
    [[nodiscard]] Vector3 direction(const Vector3& local) const;
    // The inverse.
    [[nodiscard]] Vector3 local_point(const Vector3& world) const;
    [[nodiscard]] Vector3 local_direction(const Vector3& world) const;
};

// The world itself, as a body that never moves.
BodyFrame ground_frame();
// Over the coordinates of the body.
BodyFrame frame_of(const Body& body);
// Over parameters: where the body starts, as `[[body]]` or `[initial.NAME]` says. The body must have a start.
BodyFrame start_frame_of(const Body& body);

Vector3 operator+(const Vector3& a, const Vector3& b);
Vector3 operator-(const Vector3& a, const Vector3& b);
Vector3 operator*(const Expression& factor, const Vector3& a);
Expression dot(const Vector3& a, const Vector3& b);
Vector3 cross(const Vector3& a, const Vector3& b);

}  // namespace libration
