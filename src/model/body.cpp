// Names and formulas of rigid bodies.
#include <libration/model/body.hpp>

#include <fmt/format.h>

namespace libration {

std::string body_coordinate_name(const Body& body, std::size_t coordinate) {
    if (body.centre && coordinate < body.first) {
        return fmt::format("{}.r.{}", body.name, "xyz"[coordinate - *body.centre]);
    }
    const std::size_t k = coordinate - body.first;
    return fmt::format("{}.Q[{},{}]", body.name, k / 3 + 1, k % 3 + 1);
}

BodySymbols body_symbols(const Body& body, std::string_view prefix) {
    const auto named = [&](std::size_t coordinate) {
        return symbol(fmt::format("{}{}", prefix, body_coordinate_name(body, coordinate)));
    };
    BodySymbols symbols;
    for (std::size_t k = 0; body.centre && k < 3; ++k) {
        symbols.r.push_back(named(*body.centre + k));
    }
    for (std::size_t k = 0; k < 9; ++k) {
        symbols.Q[k] = named(body.first + k);
    }
    return symbols;
}

std::vector<Expression> BodySymbols::at(const std::array<Expression, 3>& point) const {
    std::vector<Expression> world;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto turned = Q[3 * i] * point[0] + Q[3 * i + 1] * point[1] + Q[3 * i + 2] * point[2];
        world.push_back(r.empty() ? turned : r[i] + turned);
    }
    return world;
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
