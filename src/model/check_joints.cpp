// What joints demand of the numbers of a model.
#include "check_joints.hpp"

#include "dynamics.hpp"
#include "joint_places.hpp"
#include "joint_types.hpp"
#include "start_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace libration {

namespace {

class JointCheck {
  public:
    JointCheck(const Model& model, const ParameterValues<double>& given, const InitialState<double>& start,
               const Joint& joint, double t = 0)
        : model_(&model), given_(&given), start_(&start), joint_(&joint), t_(t) {}

    void run() const {
        check_constants();
        check_directions();
        check_length();
        check_slender();
        check_wheel();
        // Other initial values may be for another time, which a run knows.
        if (model_->replaced_initial == 0) {
            check_motion();
        }
    }

    // The start is closed by definition: where it is off, the formulas of the user disagree.
    void check_motion() const {
        if (const auto fault = motion_fault(); !fault.empty()) {
            refuse(joint_->given.motion_place, fault);
        }
    }

    [[nodiscard]] std::string motion_fault() const {
        const auto& g = joint_->given;
        if (!g.motion || !joint_->closed) {
            return {};
        }
        const auto& driven = joint_->coordinates[0];
        const double here = value(driven.value), wanted = value(*g.motion);
        double off = std::abs(here - wanted);
        if (driven.is_angle) {
            off = std::abs(std::remainder(here - wanted, 2 * std::numbers::pi));
        }
        constexpr double agreement = 1e-8;  // of formulas for the same number; the rows are checked more sharply
        if (off <= agreement * std::max(1.0, std::abs(wanted))) {
            return {};
        }
        return fmt::format("the joint {0} starts at {0}.{1} = {2:.10g}, but its motion at {3:.10g}{4}; {5}", g.name,
                           driven.name, here + 0.0, wanted + 0.0,
                           t_ == 0 ? std::string{} : fmt::format(" at t = {:.10g}", t_),
                           driven.is_angle ? "give 'zero', the angle at the start, or start the body elsewhere"
                                           : "start the motion at 0, or start the body elsewhere");
    }

  private:
    // At the start, of what may contain coordinates and t.
    [[nodiscard]] double value(const Expression& e) const { return value_at_start(*model_, *given_, *start_, e, t_); }

    void require_constant(const Expression& e, std::string_view key, const Place& place, bool with_time = false) const {
        for (const auto& s : symbols_of(std::array{e})) {
            if (std::ranges::find(given_->symbols, s) == given_->symbols.end() && !(with_time && s.text() == "t")) {
                refuse(place,
                       fmt::format("'{}' of the joint {} uses '{}', which is not a parameter{}", key, joint_->name(),
                                   s.text(), with_time ? " and not t" : "; it must be constant"));
            }
        }
    }

    void check_constants() const {
        const auto& g = joint_->given;
        for (const auto& [vectors, key, place] :
             {std::tuple(&g.at, "at", &g.at_place), std::tuple(&g.axes, "axis", &g.axes_place)}) {
            for (const auto& vector : *vectors) {
                for (const auto& component : vector) {
                    require_constant(component, key, *place);
                    if (!std::isfinite(value(component))) {
                        refuse(*place, fmt::format("'{}' of the joint {} is not finite", key, g.name));
                    }
                }
            }
        }
        for (const auto& component : g.on.value_or(Vector3{0, 0, 1})) {
            require_constant(component, "on", g.on_place);
        }
        if (g.length) {
            require_constant(*g.length, "length", g.length_place);
        }
        if (g.zero) {
            require_constant(*g.zero, "zero", g.zero_place);
        }
        if (g.motion) {
            require_constant(*g.motion, "motion", g.motion_place, true);
        }
    }

    void check_directions() const {
        const auto& g = joint_->given;
        if (g.on) {
            check_normal();
        }
        std::vector<Vector3> units;
        for (const auto& axis : g.axes) {
            if (!(value(dot(axis, axis)) > 0)) {
                refuse_zero_axis(g);
            }
            units.push_back(unit(axis));
            const auto& side = joint_->sides[1];
            if (side.body && is_planar(model_->bodies[*side.body]) && value(axis[2]) != 0) {
                refuse(g.axes_place, fmt::format("the axis of the joint {} between planar bodies must lie in their "
                                                 "plane: its third component is {}, not 0",
                                                 g.name, value(axis[2])));
            }
        }
        if (units.size() == 2) {
            const auto normal = cross(units[0], units[1]);
            constexpr double smallest_sine = 1e-6;  // below, half of the digits of the angles are lost
            if (const double sine = std::sqrt(value(dot(normal, normal))); !(sine > smallest_sine)) {
                refuse(g.axes_place, fmt::format("the axes of the universal joint {} are parallel; they must differ, "
                                                 "and are perpendicular as a rule",
                                                 g.name));
            }
        }
    }

    void check_normal() const {
        const auto& g = joint_->given;
        if (!(value(dot(*g.on, *g.on)) > 0)) {
            refuse_zero_normal(g);
        }
        if (is_planar(model_->bodies[*joint_->sides[1].body]) && value((*g.on)[2]) != 0) {
            refuse(g.on_place, fmt::format("'on' of the joint {} between planar bodies must lie in their plane: its "
                                           "third component is {}, not 0",
                                           g.name, value((*g.on)[2])));
        }
    }

    void check_wheel() const {
        constexpr double smallest_sine = 1e-6;  // below, half of the digits of the contact are lost
        if (joint_->contact && !(value(joint_->contact->lean) > smallest_sine * smallest_sine)) {
            refuse(joint_->given.place,
                   fmt::format("the wheel {} of the joint {} lies flat on the plane, where it touches with its whole "
                               "rim: its axis is along the normal; tilt it, or omit the axis of a sphere",
                               model_->bodies[*joint_->sides[1].body].name, joint_->name()));
        }
    }

    void check_length() const {
        if (!joint_->length) {
            return;
        }
        const double length = value(*joint_->length);
        if (!(length > 0) || !std::isfinite(length)) {
            const auto& g = joint_->given;
            refuse(g.length ? g.length_place : g.place,
                   g.length ? fmt::format("the length of the joint {} is {}; it must be positive", g.name, length)
                            : fmt::format("the points of the joint {} coincide at the start, and a distance of 0 "
                                          "has no direction; use a spherical joint",
                                          g.name));
        }
    }

    void check_slender() const {
        constexpr double rounding = 1e-9;  // of places that are given as decimal numbers
        for (std::size_t k = 0; k < 2; ++k) {
            const auto& side = joint_->sides[k];
            if (side.off_axis && value(*side.off_axis) > rounding) {
                refuse(joint_->given.place,
                       fmt::format("the joint {} is {:.6g} off the axis of the slender body {}: {}", joint_->name(),
                                   value(*side.off_axis), model_->bodies[*side.body].name,
                                   undetermined_rotation(model_->bodies[*side.body].name)));
            }
        }
    }

    const Model* model_;
    const ParameterValues<double>* given_;
    const InitialState<double>* start_;
    const Joint* joint_;
    double t_;
};

}  // namespace

void refuse_zero_axis(const JointProperties& given) {
    refuse(given.axes_place,
           fmt::format("an axis of the joint {} has length zero; give a direction such as [0, 0, 1]", given.name));
}

void refuse_zero_normal(const JointProperties& given) {
    refuse(given.on_place, fmt::format("the normal of the plane of the joint {} has length zero; give a direction such "
                                       "as [0, 0, 1]",
                                       given.name));
}

void check_joints(const Model& model, const ParameterValues<double>& given, const InitialState<double>& start) {
    check_couplings(model, given);
    for (const auto& joint : model.joints) {
        JointCheck(model, given, start, joint).run();
    }
}

std::string contact_fault(const Model& model, std::size_t row, double t, std::span<const double> q) {
    const auto found = std::ranges::find_if(
        model.joints, [&](const Joint& joint) { return joint.contact && joint.rows[0].number == row; });
    if (found == model.joints.end()) {
        return {};
    }
    InitialState<double> start;
    start.q.assign(q.begin(), q.end());
    const auto given = parameter_values<double>(model);
    const auto value = [&](const Expression& e) { return value_at_start(model, given, start, e, t); };
    const double gap = value(found->rows[0].value);
    const auto& body = model.bodies[*found->sides[1].body].name;
    if (value(found->contact->height) < 0) {
        return point_at(found->given.place,
                        fmt::format("the center of {} lies on the other side of the plane of the joint {}: reverse "
                                    "'on', which points toward the body, or start the body elsewhere",
                                    body, found->name()));
    }
    return point_at(
        found->given.place,
        fmt::format("{0} {2} the plane of the joint {1}{3} {4:.6g} at the start ({1}.normal)\nStart it at this "
                    "distance, correct 'at' or 'radius', or let `project` move it to the nearest consistent state; "
                    "`[assembly]` closes the gap, too.",
                    body, found->name(), gap > 0 ? "does not touch" : "reaches into", gap > 0 ? ": the gap is" : " by",
                    std::abs(gap)));
}

std::string motion_fault(const Model& model, double t, std::span<const double> q) {
    InitialState<double> start;
    start.q.assign(q.begin(), q.end());
    std::optional<ParameterValues<double>> given;
    for (const auto& joint : model.joints) {
        if (!joint.given.motion) {
            continue;
        }
        if (!given) {
            given = parameter_values<double>(model);
        }
        if (const auto fault = JointCheck(model, *given, start, joint, t).motion_fault(); !fault.empty()) {
            return point_at(joint.given.motion_place, fault);
        }
    }
    return {};
}

}  // namespace libration
