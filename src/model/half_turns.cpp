// Cosines that must be positive.
#include "half_turns.hpp"

#include "joint_places.hpp"
#include "joint_types.hpp"
#include "model_values.hpp"
#include "start_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace libration {

namespace {

JointFrame directions_of(const Model& model, const JointSide& side) {
    if (!side.body) {
        return side.local;
    }
    const auto frame = frame_of(model.bodies[*side.body]);
    return {
        {}, frame.direction(side.local.first), frame.direction(side.local.second), frame.direction(side.local.axis)};
}

bool has_driven_angle(const Joint& joint) {
    return joint.given.motion && joint.coordinates[0].is_angle && joint.coordinates[0].wraps;
}

// Of the angle by which the joint is off, about whatever axis: the trace of a rotation is 1 + 2 cos(angle). None: the
// rows see it; angles in the plane are differences of coordinates.
std::optional<Expression> cosine_of(const Model& model, const Joint& joint) {
    if (has_driven_angle(joint)) {
        return cos(joint.coordinates[0].value - *joint.given.motion);
    }
    const auto type = std::ranges::find(joint_types(), std::string_view(joint.given.type), &JointType::name);
    const auto& second = joint.sides[1].body ? joint.sides[1] : joint.sides[0];
    if (type == joint_types().end() || type->directions != JointType::Directions::same ||
        is_planar(model.bodies[*second.body])) {
        return std::nullopt;
    }
    const auto a = directions_of(model, joint.sides[0]), b = directions_of(model, joint.sides[1]);
    return (dot(a.first, b.first) + dot(a.second, b.second) + dot(a.axis, b.axis) - 1) / 2;
}

}  // namespace

HalfTurns::HalfTurns(const Model& model) : model_(&model) {
    std::vector<Expression> cosines, inputs;
    for (const auto& joint : model.joints) {
        if (const auto cosine = cosine_of(model, joint)) {
            joints_.push_back(&joint);
            cosines.push_back(*cosine);
        }
    }
    if (joints_.empty()) {
        return;
    }
    for (const auto& s : symbols_of(cosines)) {
        const auto coordinate = model.coordinate_number(s.text());
        if (coordinate || s.text() == "t") {
            inputs.push_back(s);
            coordinates_.push_back(coordinate);
        }
    }
    const auto given = parameter_values<double>(model);
    cosines_ = Tape<double>(compile(cosines, inputs, given.symbols), given.values);
}

std::string HalfTurns::fault(double t, std::span<const double> q) {
    if (joints_.empty()) {
        return {};
    }
    for (std::size_t k = 0; k < coordinates_.size(); ++k) {
        cosines_.input(k) = coordinates_[k] ? q[*coordinates_[k]] : t;
    }
    cosines_.run();
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        if (const double cosine = cosines_.output(k); cosine < 0) {
            return fault_of(*joints_[k], cosine, t, q);
        }
    }
    return {};
}

std::string HalfTurns::fault_of(const Joint& joint, double cosine, double t, std::span<const double> q) const {
    const auto& g = joint.given;
    if (!has_driven_angle(joint)) {
        return point_at(g.place, fmt::format("the {} joint {} starts with {} turned by {:.4g} degrees against {}, but "
                                             "it keeps them parallel; turn a body or a frame",
                                             g.type, g.name, g.between[1],
                                             std::acos(std::max(-1.0, cosine)) * 180 / std::numbers::pi, g.between[0]));
    }
    InitialState<double> start;
    start.q.assign(q.begin(), q.end());
    const auto given = parameter_values<double>(*model_);
    const auto value = [&](const Expression& e) { return value_at_start(*model_, given, start, e, t); };
    const auto& driven = joint.coordinates[0];
    // Where it is off, the reference from which it counts turns says nothing.
    const double here = std::remainder(value(driven.value), 2 * std::numbers::pi);
    return point_at(g.motion_place, fmt::format("the joint {0} starts at {0}.{1} = {2:.10g}, but its motion at "
                                                "{3:.10g}{4}; turn a body or a frame, or change 'zero'",
                                                g.name, driven.name, here + 0.0, value(*g.motion) + 0.0,
                                                t == 0 ? std::string{} : fmt::format(" at t = {:.10g}", t)));
}

}  // namespace libration
