// Cosines that must be positive.
#include "half_turns.hpp"

#include "joint_places.hpp"
#include "joint_types.hpp"
#include "model_values.hpp"
#include "start_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
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
    return joint.given.motion && !joint.coordinates.empty() && joint.coordinates[0].is_angle &&
           joint.coordinates[0].wraps;
}

// Of a joint in space; between planar bodies angles are differences of coordinates.
bool has_directions(const Model& model, const Joint& joint, JointType::Directions wanted) {
    const auto type = std::ranges::find(joint_types(), std::string_view(joint.given.type), &JointType::name);
    const auto& side = joint.sides[1].body ? joint.sides[1] : joint.sides[0];
    return type != joint_types().end() && type->directions == wanted && !is_planar(model.bodies[*side.body]);
}

// Of the angle by which the joint is off, about whatever axis: the trace of a rotation is 1 + 2 cos(angle). None: the
// rows see it.
std::optional<Expression> cosine_of(const Model& model, const Joint& joint) {
    if (has_driven_angle(joint)) {
        return cos(joint.coordinates[0].value - *joint.given.motion);
    }
    if (!has_directions(model, joint, JointType::Directions::same)) {
        return std::nullopt;
    }
    const auto a = directions_of(model, joint.sides[0]), b = directions_of(model, joint.sides[1]);
    return (dot(a.first, b.first) + dot(a.second, b.second) + dot(a.axis, b.axis) - 1) / 2;
}

std::vector<const Joint*> joints_with_cosines(const Model& model) {
    std::vector<const Joint*> joints;
    for (const auto& joint : model.joints) {
        if (cosine_of(model, joint)) {
            joints.push_back(&joint);
        }
    }
    return joints;
}

std::vector<Expression> cosines_of(const Model& model, std::span<const Joint* const> joints) {
    std::vector<Expression> cosines;
    std::ranges::transform(joints, std::back_inserter(cosines),
                           [&](const Joint* joint) { return *cosine_of(model, *joint); });
    return cosines;
}

std::vector<Expression> cosines_of_axes(const Model& model) {
    std::vector<Expression> cosines;
    for (const auto& joint : model.joints) {
        if (has_directions(model, joint, JointType::Directions::parallel_axes)) {
            cosines.push_back(
                dot(directions_of(model, joint.sides[0]).axis, directions_of(model, joint.sides[1]).axis));
        }
    }
    return cosines;
}

}  // namespace

PoseNumbers::PoseNumbers(const Model& model, std::span<const Expression> formulas)
    : count_(formulas.size()), values_(formulas.size()) {
    std::vector<Expression> inputs;
    for (const auto& s : symbols_of(formulas)) {
        const auto coordinate = model.coordinate_number(s.text());
        if (coordinate || s.text() == "t") {
            inputs.push_back(s);
            coordinates_.push_back(coordinate);
        }
    }
    const auto given = parameter_values<double>(model);
    tape_ = Tape<double>(compile(formulas, inputs, given.symbols), given.values);
}

std::span<const double> PoseNumbers::at(double t, std::span<const double> q) {
    for (std::size_t k = 0; k < coordinates_.size(); ++k) {
        tape_.input(k) = coordinates_[k] ? q[*coordinates_[k]] : t;
    }
    tape_.run();
    for (std::size_t k = 0; k < count_; ++k) {
        values_[k] = tape_.output(k);
    }
    return values_;
}

HalfTurns::HalfTurns(const Model& model)
    : model_(&model), joints_(joints_with_cosines(model)), cosines_(model, cosines_of(model, joints_)) {}

std::string HalfTurns::fault(double t, std::span<const double> q) {
    if (joints_.empty()) {
        return {};
    }
    const auto cosines = cosines_.at(t, q);
    const auto off = std::ranges::find_if(cosines, [](double cosine) { return cosine < 0; });
    return off == cosines.end() ? std::string{} : fault_of(*joints_[off - cosines.begin()], *off, t, q);
}

AxisSenses::AxisSenses(const Model& model, double t, std::span<const double> rough)
    : t_(t), cosines_(model, cosines_of_axes(model)) {
    const auto cosines = cosines_.at(t, rough);
    rough_.assign(cosines.begin(), cosines.end());
}

std::size_t AxisSenses::reversed(std::span<const double> q) {
    std::size_t count = 0;
    const auto cosines = cosines_.at(t_, q);
    for (std::size_t k = 0; k < cosines.size(); ++k) {
        count += cosines[k] * rough_[k] < 0 ? 1 : 0;
    }
    return count;
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
