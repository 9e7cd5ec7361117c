// Joints of slender bodies, which take the direction across their axis from the first joint that has one.
#include "dynamics.hpp"
#include "joint_maker.hpp"

#include <fmt/format.h>

namespace libration {

bool JointMaker::is_bare_rod(std::size_t k) const {
    return ends_[k].body != nullptr && ends_[k].body->kind == BodyKind::slender && !ends_[k].body->lent;
}

Vector3 JointMaker::on_slender_axis(std::size_t k, const Vector3& local) {
    if (!is_bare_rod(k)) {
        return local;
    }
    const auto& body = *ends_[k].body;
    const auto axis = slender_axis(body);
    const auto arm = local - body.com;
    const auto along = dot(arm, axis) * axis;
    const auto off = arm - along;
    joint_.sides[k].off_axis = sqrt(dot(off, off));
    return body.com + along;
}

void JointMaker::lend() {
    for (std::size_t k = 0; k < 2; ++k) {
        if (type_->directions == JointType::Directions::none || type_->directions == JointType::Directions::of_first ||
            !is_bare_rod(k)) {
            continue;
        }
        const std::size_t other = 1 - k;
        if (type_->directions == JointType::Directions::crossed_axes) {
            refuse(given().between_places[k],
                   fmt::format("a universal joint cannot hold the slender body {}, whose rotation about its own axis "
                               "nothing determines; use a spherical joint, or give the body a small moment of "
                               "inertia about its axis",
                               ends_[k].body->name));
        }
        if (is_bare_rod(other)) {
            refuse(given().place, fmt::format("the joint {} connects slender bodies whose rotation about their own "
                                              "axes nothing determines yet; write the joint that connects one of "
                                              "them to the ground or to another body above this one",
                                              given().name));
        }
        const auto world = in_world(other);
        const auto& body = draft_->model().bodies[ends_[k].number];
        const auto axis = slender_axis(body), u = slender_direction(body);
        const auto& mine = local_[k];
        if (type_->directions == JointType::Directions::parallel_axes) {
            const auto along = dot(axis, mine.axis);
            const auto across = cross(axis, mine.axis);
            if (draft_->number(dot(across, across), "the axis", given().axes_place) < 1e-12) {
                refuse(given().axes_place,
                       fmt::format("the axis of the joint {} is that of the slender body {}, whose rotation about "
                                   "it nothing determines; use a spherical joint with a direction, or give the body "
                                   "a small moment of inertia about its axis",
                                   given().name, body.name));
            }
            rod_rows_.push_back(rod_row("axis", u, world.axis, along, k));
            lend_direction(k, mine.axis, world.axis);
            continue;
        }
        // The rod keeps its direction in the other body: two directions there are perpendicular to it.
        const Vector3 parts{dot(axis, mine.first), dot(axis, mine.second), dot(axis, mine.axis)};
        const auto across = frame_about({}, parts);
        const auto in = [](const JointFrame& frame, const Vector3& c) {
            return c[0] * frame.first + c[1] * frame.second + c[2] * frame.axis;
        };
        const auto first = in(world, across.first);
        rod_rows_.push_back(rod_row("turn[1]", u, first, 0, k));
        rod_rows_.push_back(rod_row("turn[2]", u, in(world, across.second), 0, k));
        lend_direction(k, in(mine, across.first), first);
    }
}

void JointMaker::lend_direction(std::size_t k, const Vector3& local, const Vector3& world) {
    draft_->model().bodies[ends_[k].number].lent = LentDirection{local, world};
    lent_rows_ = true;
}

JointRow JointMaker::rod_row(const char* name, const Vector3& u, const Vector3& w, const Expression& cosine,
                             std::size_t k) {
    return {name, dot(u, w) - cosine, {0, 0, 0}, k == 1 ? cross(u, w) : cross(w, u)};
}

bool JointMaker::is_about_directions(const std::string& row) {
    return row.starts_with("axis") || row.starts_with("turn");
}

}  // namespace libration
