// Frames of rigid bodies as formulas: what joints, springs, forces and drawings know of a body. The coordinates behind
// them (nine entries of Q, fewer for flat and slender bodies, an angle for planar ones) are the body's own affair.
#pragma once

#include <libration/model/body.hpp>

#include <array>

namespace libration {

struct Model;

using Vector3 = std::array<Expression, 3>;
using Matrix3 = std::array<Expression, 9>;  // row by row

// What nothing determines, of a slender body that no joint lends a direction, is refused with an InputError.
struct BodyFrame {
    Vector3 origin{};  // of the user's frame, in the world
    Matrix3 axes{};    // from the user's frame to the world: its columns are the axes of the body
    Vector3 centre{};  // of mass, in the world
    Vector3 com{};     // the same in the user's frame
    // Of a slender body without a lent direction: its axis in the user's frame. `axes` and `origin` are then those of
    // the projection on this axis.
    std::optional<Vector3> along = {};
    std::string body = {};
    Place place = {};

    // In the world, of what is given in the body.
    [[nodiscard]] Vector3 point(const Vector3& local) const;
    [[nodiscard]] Vector3 direction(const Vector3& local) const;
    // The inverse.
    [[nodiscard]] Vector3 local_point(const Vector3& world) const;
    [[nodiscard]] Vector3 local_direction(const Vector3& world) const;
    // Whether `point` and `direction` can tell, for a slender body.
    [[nodiscard]] bool determines_point(const Vector3& local) const;
    [[nodiscard]] bool determines_direction(const Vector3& local) const;
};

// Why a slender body has no such thing.
std::string undetermined_rotation(const std::string& body);

// The world itself, as a body that never moves.
BodyFrame ground_frame();
// Over the coordinates of the body, and of those that lend it a direction.
BodyFrame frame_of(const Body& body);
// Over parameters: where the body starts, as `[[body]]` or `[initial.NAME]` says. The body must have a start.
BodyFrame start_frame_of(const Body& body);
// In the user's frame, at the start; of a planar body about z.
Vector3 start_omega_of(const Body& body);

// d/dt of a formula over coordinates and t, over v_ too.
Expression rate_of(const Expression& formula, const Model& model);

Vector3 operator+(const Vector3& a, const Vector3& b);
Vector3 operator-(const Vector3& a, const Vector3& b);
Vector3 operator*(const Expression& factor, const Vector3& a);
Expression dot(const Vector3& a, const Vector3& b);
Vector3 cross(const Vector3& a, const Vector3& b);
// Of length 1; what has that length already stays as it is.
Vector3 unit(const Vector3& a);
Vector3 product(const Matrix3& a, const Vector3& b);
Matrix3 product(const Matrix3& a, const Matrix3& b);
Matrix3 transposed(const Matrix3& a);

}  // namespace libration
