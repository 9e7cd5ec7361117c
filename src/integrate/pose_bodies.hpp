// Orientations of bodies within the coordinates of a pose: columns of a rotation matrix, row by row (body.hpp).
#pragma once

#include <libration/kit/scalars.hpp>
#include <libration/model/body.hpp>

#include <array>
#include <span>

namespace libration {

inline std::size_t orientation_columns(const Body& body) {
    return body.kind == BodyKind::planar ? 0 : body.columns.size();
}
inline std::size_t first_coordinate(const Body& body) { return body.centre.value_or(body.first); }

template <class F>
std::array<F, 3> orientation_column(const Body& body, std::span<const F> q, std::size_t c) {
    const std::size_t n = orientation_columns(body);
    return {q[body.first + c], q[body.first + n + c], q[body.first + 2 * n + c]};
}

template <class F>
std::array<F, 3> cross_product(const std::array<F, 3>& a, const std::array<F, 3>& b) {
    return {F(a[1] * b[2] - a[2] * b[1]), F(a[2] * b[0] - a[0] * b[2]), F(a[0] * b[1] - a[1] * b[0])};
}

// R with to = R from, row by row: of two columns with their cross product, of one column the shortest such rotation. Of
// a body in the plane the identity: no column is among its coordinates.
template <class F>
std::array<F, 9> rotation_between(const Body& body, std::span<const F> from, std::span<const F> to) {
    const F zero = lit<F>(0), one = lit<F>(1);
    std::array<F, 9> R{one, zero, zero, zero, one, zero, zero, zero, one};
    const std::size_t n = orientation_columns(body);
    if (n == 0) {
        return R;
    }
    std::array<std::array<F, 3>, 3> a{}, b{};
    for (std::size_t c = 0; c < n; ++c) {
        a.at(c) = orientation_column(body, from, c);
        b.at(c) = orientation_column(body, to, c);
    }
    if (n == 1) {
        // The frames (u, a x u, a), (u, b x u, b) with u along a x b, or normal to a where b is (nearly) along a.
        auto u = cross_product(a[0], b[0]);
        F square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        if (to_double(square) < 1e-24) {
            const std::array<F, 3> x{one, zero, zero}, y{zero, one, zero};
            u = cross_product(a[0], to_double(absv(a[0][0])) < 0.7 ? x : y);
            square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        }
        for (auto& component : u) {
            component = component / sqrt(square);
        }
        a[1] = b[1] = u;
    }
    if (n < 3) {
        a[2] = cross_product(a[0], a[1]);
        b[2] = cross_product(b[0], b[1]);
    }
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            R.at(3 * i + j) = b[0].at(i) * a[0].at(j) + b[1].at(i) * a[1].at(j) + b[2].at(i) * a[2].at(j);
        }
    }
    return R;
}

// The columns of the body in `values`, which may be velocities or momenta, turned by R.
template <class F>
void turn_columns(const Body& body, const std::array<F, 9>& R, std::span<F> values) {
    const std::size_t n = orientation_columns(body);
    for (std::size_t c = 0; c < n; ++c) {
        const auto old = orientation_column<F>(body, values, c);
        for (std::size_t i = 0; i < 3; ++i) {
            values[body.first + i * n + c] = R.at(3 * i) * old[0] + R.at(3 * i + 1) * old[1] + R.at(3 * i + 2) * old[2];
        }
    }
}

}  // namespace libration
