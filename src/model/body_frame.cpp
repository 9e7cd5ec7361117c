// Frames of rigid bodies as formulas.
#include "body_frame.hpp"

#include "expression/tape.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace libration {

Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector3 operator*(const Expression& factor, const Vector3& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }

Expression dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector3 cross(const Vector3& a, const Vector3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

namespace {

double constant_value(const Expression& e) { return Tape<double>(compile(std::array{e}, {}, {}), {}).output(0); }

}  // namespace

Vector3 unit(const Vector3& a) {
    const auto square = dot(a, a);
    if (square.is_constant(1)) {
        return a;
    }
    const auto length = sqrt(square);
    const auto zeros = std::ranges::count_if(a, [](const Expression& e) { return e.is_constant(0); });
    Vector3 result;
    for (std::size_t k = 0; k < 3; ++k) {
        const bool along = zeros == 2 && a[k].is(Op::constant);
        result[k] = a[k].is_constant(0) ? Expression(0)
                    : along             ? Expression(constant_value(a[k]) < 0 ? -1 : 1)
                                        : a[k] / length;
    }
    return result;
}

Vector3 product(const Matrix3& a, const Vector3& b) {
    Vector3 result;
    for (std::size_t i = 0; i < 3; ++i) {
        result[i] = a[3 * i] * b[0] + a[3 * i + 1] * b[1] + a[3 * i + 2] * b[2];
    }
    return result;
}

Matrix3 product(const Matrix3& a, const Matrix3& b) {
    Matrix3 result;
    for (std::size_t j = 0; j < 3; ++j) {
        const auto column = product(a, Vector3{b[j], b[3 + j], b[6 + j]});
        for (std::size_t i = 0; i < 3; ++i) {
            result[3 * i + j] = column[i];
        }
    }
    return result;
}

Matrix3 transposed(const Matrix3& a) { return {a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]}; }

namespace {

// Axes of slender bodies that are computed from a matrix have rounding errors.
constexpr double off_axis = 1e-12;

bool is_along(const Vector3& axis, const Vector3& local) {
    const auto off = cross(axis, local);
    if (std::ranges::all_of(off, [](const Expression& e) { return e.is_constant(0); })) {
        return true;
    }
    if (!symbols_of(off).empty()) {
        return false;
    }
    double square = 0, whole = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        square += std::pow(constant_value(off[i]), 2);
        whole += std::pow(constant_value(axis[i]), 2) * constant_value(dot(local, local));
    }
    return square <= off_axis * off_axis * whole;
}

void settle_origin(BodyFrame& frame) { frame.origin = frame.centre - product(frame.axes, frame.com); }

Vector3 as_vector(const std::vector<Expression>& components) {
    Vector3 vector{};
    std::ranges::copy(components, vector.begin());
    return vector;
}

Matrix3 turned_in_plane(const Expression& angle) {
    return {cos(angle), -sin(angle), 0, sin(angle), cos(angle), 0, 0, 0, 1};
}

// a b^T
Matrix3 dyad(const Vector3& a, const Vector3& b) {
    Matrix3 result;
    for (std::size_t k = 0; k < 9; ++k) {
        result[k] = a[k / 3] * b[k % 3];
    }
    return result;
}

// The axis u alone, or u, e2 and e3, where e2 is the part of the lent direction across u.
void set_slender_axes(BodyFrame& frame, const Body& body) {
    const std::size_t j = body.columns[0];
    const Vector3 axis{body.principal[j], body.principal[3 + j], body.principal[6 + j]};
    const auto symbols = column_symbols(body);
    const Vector3 u{symbols[j], symbols[3 + j], symbols[6 + j]};
    frame.axes = dyad(u, axis);
    if (!body.lent) {
        frame.along = axis;
        return;
    }
    const auto local = unit(body.lent->local);
    const auto along = dot(local, axis);
    const auto across = local - along * axis;
    const auto width = sqrt(dot(across, across));
    const Vector3 second = (1 / width) * across, third = cross(axis, second);
    const Vector3 second_world = (1 / width) * (body.lent->world - along * u), third_world = cross(u, second_world);
    const auto b = dyad(second_world, second), c = dyad(third_world, third);
    for (std::size_t k = 0; k < 9; ++k) {
        frame.axes[k] = frame.axes[k] + b[k] + c[k];
    }
}

}  // namespace

std::string undetermined_rotation(const std::string& body) {
    return fmt::format("nothing determines the rotation of {0} about its own axis, so that only points on this axis "
                       "have a place: give it a small moment of inertia about the axis, or a joint that fixes it to "
                       "another body in a direction across the axis",
                       body);
}

bool BodyFrame::determines_direction(const Vector3& local) const { return !along || is_along(*along, local); }
bool BodyFrame::determines_point(const Vector3& local) const { return determines_direction(local - com); }

Vector3 BodyFrame::direction(const Vector3& local) const {
    if (!determines_direction(local)) {
        throw InputError(place, undetermined_rotation(body));
    }
    return product(axes, local);
}

Vector3 BodyFrame::point(const Vector3& local) const { return centre + direction(local - com); }

Vector3 BodyFrame::local_direction(const Vector3& world) const {
    if (along) {
        throw InputError(place, undetermined_rotation(body));
    }
    return product(transposed(axes), world);
}

Vector3 BodyFrame::local_point(const Vector3& world) const { return local_direction(world - centre) + com; }

BodyFrame ground_frame() { return {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, {0, 0, 0}}; }

BodyFrame frame_of(const Body& body) {
    BodyFrame frame{{0, 0, 0}, {}, as_vector(centre_symbols(body)), body.com};
    frame.body = body.name;
    frame.place = body.place;
    switch (body.kind) {
        case BodyKind::planar: frame.axes = turned_in_plane(symbol(body.name + ".angle")); break;
        case BodyKind::slender: set_slender_axes(frame, body); break;
        case BodyKind::spatial:
        case BodyKind::flat:
            frame.axes = body.turned ? product(principal_axes(body), transposed(body.principal)) : principal_axes(body);
    }
    settle_origin(frame);
    return frame;
}

BodyFrame start_frame_of(const Body& body) {
    assert(body.start && "bodies start somewhere");
    const auto& start = *body.start;
    BodyFrame frame = ground_frame();
    frame.com = body.com;
    frame.body = body.name;
    frame.place = body.place;
    if (body.kind == BodyKind::planar) {
        frame.axes = turned_in_plane(start.angle.value_or(0));
    } else if (start.in_body) {
        frame.axes = start.orientation.matrix();
    } else if (start.Q.empty()) {
        frame.axes = rotation_of({start.quaternion[0], start.quaternion[1], start.quaternion[2], start.quaternion[3]});
    } else {
        std::ranges::copy(start.Q, frame.axes.begin());
    }
    if (start.in_body) {
        frame.origin = as_vector(start.position);
        frame.centre = frame.origin + product(frame.axes, body.com);
    } else {
        frame.centre = as_vector(start.r);
        settle_origin(frame);
    }
    return frame;
}

Vector3 start_omega_of(const Body& body) {
    const auto& omega = body.start->omega;
    return omega.size() == 1 ? Vector3{0, 0, omega[0]} : as_vector(omega);
}

Expression rate_of(const Expression& formula, const Model& model) {
    std::vector<Expression> moving, rates;
    for (const auto& s : symbols_of(std::array{formula})) {
        const auto number = model.coordinate_number(s.text());
        if (s.text() == "t" || (number && model.coordinate_name(*number) == s.text())) {
            moving.push_back(s);
            rates.push_back(s.text() == "t" ? Expression(1) : symbol("v_" + s.text()));
        }
    }
    return directional_derivative(formula, moving, rates);
}

}  // namespace libration
