// Rigid bodies: nine coordinates Q, the rotation from the body to the world, row by row, with momenta P = Q' D and the
// six constraints Q^T Q = 1; a free body has the three coordinates of its center in front. D = diag(d_1, d_2, d_3) with
// I_1 = d_2 + d_3, I_2 = d_3 + d_1, I_3 = d_1 + d_2, so that the mass of Q[i,j] is d_j and H = 1/2 trace(P D^-1 P^T) +
// U is separable with a constant diagonal mass. [ConsoleHairerLubich2013, Example 3]
#pragma once

#include <libration/expression/expression.hpp>
#include <libration/text/source.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// Where it starts.
struct BodyStart {
    std::vector<Expression> Q;           // nine, row by row; or
    std::vector<Expression> quaternion;  // w, x, y, z of any length but 0; q and -q mean the same
    std::vector<Expression> omega;       // angular velocity in the body frame; none: 0
    std::vector<Expression> r, v;        // of the center, of a free body only; no v: 0
    Place place;                         // of Q or the quaternion
};

struct Body {
    std::string name;
    std::size_t first = 0;              // coordinate number of Q[1,1]
    std::size_t first_row = 0;          // constraint row (1,1); then (2,2), (3,3), (1,2), (1,3), (2,3)
    std::optional<std::size_t> centre;  // coordinate of r.x; none: a point of the body is fixed at the origin
    std::array<Expression, 3> d;
    Place place;
    // As given in the text of the model.
    std::array<Expression, 3> inertia = {};
    std::optional<Expression> mass = {};
    std::optional<BodyStart> start = {};
};

// The rows of a body in their order: columns of Q, from 0.
inline constexpr std::array<std::array<std::size_t, 2>, 6> rigid_rows{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

// The symbols of a body in expressions.
struct BodySymbols {
    std::vector<Expression> r;  // empty if a point is fixed
    std::array<Expression, 9> Q;
    // r + Q (x, y, z)^T: the position of a point of the body in the world.
    [[nodiscard]] std::vector<Expression> at(const std::array<Expression, 3>& point) const;
};
// Of the momenta with prefix p_, of the velocities with v_.
BodySymbols body_symbols(const Body& body, std::string_view prefix = {});
std::string body_coordinate_name(const Body& body, std::size_t coordinate);

// The user's description of a body. Expressions in parameters; places are for messages.
struct BodyProperties {
    std::string name;
    std::vector<Expression> inertia;  // three principal moments about the fixed point, or about the center of mass
    bool fixed = false;
    std::optional<Expression> mass;  // needed by a free body, without effect if a point is fixed
    Place place, inertia_place, mass_place;
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

}  // namespace libration
