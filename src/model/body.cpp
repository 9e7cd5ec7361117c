// Names and formulas of rigid bodies.
#include "body_frame.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace libration {

std::string body_coordinate_name(const Body& body, std::size_t coordinate) {
    if (body.centre && coordinate < body.first) {
        return fmt::format("{}.r.{}", body.name, "xyz"[coordinate - *body.centre]);
    }
    if (body.kind == BodyKind::planar) {
        return body.name + ".angle";
    }
    // Q is what belongs to the frame of the user.
    const std::size_t k = coordinate - body.first, width = body.columns.size();
    return fmt::format("{}.{}[{},{}]", body.name, body.turned ? 'P' : 'Q', k / width + 1, body.columns[k % width] + 1);
}

std::vector<Expression> centre_symbols(const Body& body, std::string_view prefix) {
    std::vector<Expression> symbols;
    for (std::size_t k = 0; body.centre && k < body.dimension(); ++k) {
        symbols.push_back(symbol(fmt::format("{}{}", prefix, body_coordinate_name(body, *body.centre + k))));
    }
    return symbols;
}

std::array<Expression, 9> column_symbols(const Body& body, std::string_view prefix) {
    std::array<Expression, 9> all{};
    const std::size_t width = body.columns.size();
    for (std::size_t k = 0; k < 3 * width; ++k) {
        all[k / width * 3 + body.columns[k % width]] =
            symbol(fmt::format("{}{}", prefix, body_coordinate_name(body, body.first + k)));
    }
    return all;
}

std::array<Expression, 9> principal_axes(const Body& body) {
    auto all = column_symbols(body);
    if (body.columns.size() == 2) {
        const std::size_t k = 3 - body.columns[0] - body.columns[1], a = (k + 1) % 3, b = (k + 2) % 3;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t y = 3 * ((i + 1) % 3), z = 3 * ((i + 2) % 3);
            all[3 * i + k] = all[y + a] * all[z + b] - all[z + a] * all[y + b];
        }
    }
    return all;
}

BodySymbols body_symbols(const Body& body) { return {centre_symbols(body), frame_of(body).axes, body}; }

std::vector<Expression> BodySymbols::at(const std::array<Expression, 3>& point) const {
    const auto world = frame_of(body).point(point);
    return {world.begin(), world.begin() + static_cast<std::ptrdiff_t>(body.dimension())};
}

namespace {

// About the first, second or third axis.
Matrix3 turn_about(std::size_t axis, const Expression& angle) {
    const std::size_t a = (axis + 1) % 3, b = (axis + 2) % 3;
    Matrix3 turn{};
    turn[4 * axis] = 1;
    turn[4 * a] = turn[4 * b] = cos(angle);
    turn[3 * b + a] = sin(angle);
    turn[3 * a + b] = -sin(angle);
    return turn;
}

}  // namespace

Matrix3 Orientation::matrix() const {
    switch (form) {
        case Form::identity: return ground_frame().axes;
        case Form::matrix: {
            Matrix3 given;
            std::ranges::copy(values, given.begin());
            return given;
        }
        case Form::quaternion: return rotation_of({values[0], values[1], values[2], values[3]});
        case Form::axis: {
            const auto length = sqrt(values[0] * values[0] + values[1] * values[1] + values[2] * values[2]);
            const auto half = values[3] / 2;
            return rotation_of(
                {cos(half) * length, sin(half) * values[0], sin(half) * values[1], sin(half) * values[2]});
        }
        case Form::euler: {
            const auto about = [&](std::size_t k) {
                return turn_about(static_cast<std::size_t>(sequence[k] - 'x'), values[k]);
            };
            return product(product(about(0), about(1)), about(2));
        }
        case Form::rpy: break;
    }
    return product(product(turn_about(2, values[2]), turn_about(1, values[1])), turn_about(0, values[0]));
}

// Every entry is an even function of (w, x, y, z): q and -q give the same bits. Dividing by the largest component first
// keeps squares in range.
std::array<Expression, 9> rotation_of(const std::array<Expression, 4>& quaternion) {
    const auto largest = max(max(abs(quaternion[0]), abs(quaternion[1])), max(abs(quaternion[2]), abs(quaternion[3])));
    const auto w = quaternion[0] / largest, x = quaternion[1] / largest;
    const auto y = quaternion[2] / largest, z = quaternion[3] / largest;
    const auto ww = w * w, xx = x * x, yy = y * y, zz = z * z;
    const auto square = ww + xx + yy + zz;
    return {(ww + xx - yy - zz) / square, 2 * (x * y - w * z) / square, 2 * (x * z + w * y) / square,
            2 * (x * y + w * z) / square, (ww - xx + yy - zz) / square, 2 * (y * z - w * x) / square,
            2 * (x * z - w * y) / square, 2 * (y * z + w * x) / square, (ww - xx - yy + zz) / square};
}

// 4 q q^T, with q = (w, x, y, z), is linear in Q. Its largest diagonal entry is at least 1, whatever Q is, as the trace
// is 4: the column through it, divided by its length, is q without cancellation, also near rotations by pi.
std::array<Expression, 4> quaternion_of(const std::array<Expression, 9>& Q) {
    const auto q = [&](std::size_t i, std::size_t j) { return Q[3 * i + j - 4]; };
    const auto wx = q(3, 2) - q(2, 3), wy = q(1, 3) - q(3, 1), wz = q(2, 1) - q(1, 2);
    const auto xy = q(2, 1) + q(1, 2), xz = q(1, 3) + q(3, 1), yz = q(3, 2) + q(2, 3);
    const auto ww = 1 + q(1, 1) + q(2, 2) + q(3, 3), xx = 1 + q(1, 1) - q(2, 2) - q(3, 3);
    const auto yy = 1 - q(1, 1) + q(2, 2) - q(3, 3), zz = 1 - q(1, 1) - q(2, 2) + q(3, 3);
    const std::array<std::array<Expression, 4>, 4> columns{
        {{ww, wx, wy, wz}, {wx, xx, xy, xz}, {wy, xy, yy, yz}, {wz, xz, yz, zz}}};
    const auto z_leads = less(max(max(ww, xx), yy), zz);
    const auto y_leads = less(max(ww, xx), yy);
    const auto x_leads = less(ww, xx);
    std::array<Expression, 4> column;
    Expression square(0);
    for (std::size_t k = 0; k < 4; ++k) {
        column[k] =
            if_(z_leads, columns[3][k], if_(y_leads, columns[2][k], if_(x_leads, columns[1][k], columns[0][k])));
        square += column[k] * column[k];
    }
    const auto length = sqrt(square);
    const auto divisor = if_(less(column[0], 0), -length, length);
    return {column[0] / divisor, column[1] / divisor, column[2] / divisor, column[3] / divisor};
}

std::array<Expression, 9> spin(const std::array<Expression, 9>& Q, const std::array<Expression, 3>& omega) {
    std::array<Expression, 9> V;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            const std::size_t a = (j + 1) % 3, b = (j + 2) % 3;
            V[3 * i + j] = Q[3 * i + a] * omega[b] - Q[3 * i + b] * omega[a];
        }
    }
    return V;
}

std::array<Expression, 3> angular_velocity(const std::array<Expression, 9>& Q, const std::array<Expression, 9>& V) {
    const auto product = [&](std::size_t a, std::size_t b) {  // (Q^T V)_ab
        return Q[a] * V[b] + Q[3 + a] * V[3 + b] + Q[6 + a] * V[6 + b];
    };
    std::array<Expression, 3> omega;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
        omega[k] = (product(b, a) - product(a, b)) / 2;
    }
    return omega;
}

std::array<Expression, 3> angular_momentum(const std::array<Expression, 9>& Q, const std::array<Expression, 9>& P) {
    std::array<Expression, 3> L;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
        for (std::size_t j = 0; j < 3; ++j) {
            L[k] += Q[3 * a + j] * P[3 * b + j] - Q[3 * b + j] * P[3 * a + j];
        }
    }
    return L;
}

}  // namespace libration
