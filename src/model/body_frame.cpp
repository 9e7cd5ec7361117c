// Frames of rigid bodies as formulas.
#include "body_frame.hpp"

#include <cassert>

namespace libration {

Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector3 operator*(const Expression& factor, const Vector3& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }

Expression dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector3 cross(const Vector3& a, const Vector3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector3 BodyFrame::direction(const Vector3& local) const {
    Vector3 world;
    for (std::size_t i = 0; i < 3; ++i) {
        world[i] = axes[3 * i] * local[0] + axes[3 * i + 1] * local[1] + axes[3 * i + 2] * local[2];
    }
    return world;
}

Vector3 BodyFrame::point(const Vector3& local) const { return origin + direction(local); }

Vector3 BodyFrame::local_direction(const Vector3& world) const {
    Vector3 local;
    for (std::size_t j = 0; j < 3; ++j) {
        local[j] = axes[j] * world[0] + axes[3 + j] * world[1] + axes[6 + j] * world[2];
    }
    return local;
}

Vector3 BodyFrame::local_point(const Vector3& world) const { return local_direction(world - origin); }

BodyFrame ground_frame() { return {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}; }

BodyFrame frame_of(const Body& body) {
    const auto symbols = body_symbols(body);
    BodyFrame frame{{0, 0, 0}, symbols.Q};
    for (std::size_t i = 0; i < symbols.r.size(); ++i) {
        frame.origin[i] = symbols.r[i];
    }
    return frame;
}

BodyFrame start_frame_of(const Body& body) {
    assert(body.start && "bodies start somewhere");
    const auto& start = *body.start;
    BodyFrame frame{{0, 0, 0}, {}};
    if (start.Q.empty()) {
        frame.axes = rotation_of({start.quaternion[0], start.quaternion[1], start.quaternion[2], start.quaternion[3]});
    } else {
        for (std::size_t k = 0; k < 9; ++k) {
            frame.axes[k] = start.Q[k];
        }
    }
    for (std::size_t i = 0; i < start.r.size(); ++i) {
        frame.origin[i] = start.r[i];
    }
    return frame;
}

}  // namespace libration
