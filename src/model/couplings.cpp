// Couplings: joints that relate the coordinates of two other joints.
#include "couplings.hpp"

#include "dynamics.hpp"
#include "loads.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

using CoupledKind = CouplingType::Kind;

constexpr std::array coupling_table{
    CouplingType{.name = "gear", .factor_key = "ratio", .first = CoupledKind::angle, .second = CoupledKind::angle},
    CouplingType{
        .name = "rack", .factor_key = "radius", .first = CoupledKind::angle, .second = CoupledKind::displacement},
    CouplingType{.name = "mimic",
                 .factor_key = "factor",
                 .needs_factor = false,
                 .has_offset = true,
                 .first = CoupledKind::any,
                 .second = CoupledKind::any,
                 .from_start = false}};

struct CoupledEnd {
    const Joint* joint;
    const JointCoordinate* coordinate;
    Expression start = 0;
};

std::string full_name(const CoupledEnd& end) { return fmt::format("{}.{}", end.joint->name(), end.coordinate->name); }

// Where the bodies start: `zero`, or no displacement, where the joint is closed by definition.
Expression first_value(const Model& model, const Joint& joint, const JointCoordinate& coordinate) {
    const auto zero = coordinate.is_angle ? joint.given.zero.value_or(0) : Expression(0);
    if (coordinate.is_angle ? joint.closed : !joint.rough) {
        return zero;
    }
    const auto name = fmt::format("{}.{}", joint.name(), coordinate.name);
    if (const auto angle = std::ranges::find(model.windings, name, &Winding::name); angle != model.windings.end()) {
        return angle->start;
    }
    return joint.given.motion ? motion_at_start(joint.given) : at_start(model, coordinate.value).value_or(zero);
}

CoupledEnd coupled_end(const Model& model, const JointProperties& given, std::size_t k, const CouplingType& type) {
    const auto& place = given.of_places[k];
    const auto& coordinate = joint_coordinate(model, given.of[k], place);
    const auto name = given.of[k].substr(0, given.of[k].find('.'));
    CoupledEnd end{&*std::ranges::find(model.joints, name, &Joint::name), &coordinate};
    const auto wanted = k == 0 ? type.first : type.second;
    if (end.joint->length) {
        refuse(place, fmt::format("the length of the distance joint {} is constant, so that '{}' cannot couple it",
                                  name, given.name));
    }
    if (wanted != CoupledKind::any && coordinate.is_angle != (wanted == CoupledKind::angle)) {
        refuse(place,
               fmt::format("{} is {}, but the {} of the joints in 'of' of the {} '{}' must have {}; {}", full_name(end),
                           coordinate.is_angle ? "an angle" : "a displacement", k == 0 ? "first" : "second", type.name,
                           given.name, wanted == CoupledKind::angle ? "an angle" : "a displacement",
                           type.name == "rack" ? "name a revolute joint, then a prismatic one"
                                               : "for an angle and a displacement use a rack, for others a mimic"));
    }
    if (coordinate.wraps && !end.joint->given.turns) {
        refuse(place, fmt::format("'{}' depends on turns of the joint {}; give it turns = true", given.name, name));
    }
    if (type.from_start) {
        end.start = first_value(model, *end.joint, coordinate);
    }
    return end;
}

void check_coupling_keys(const JointProperties& given, const CouplingType& type) {
    if (!given.between[0].empty() || !given.between[1].empty()) {
        refuse(given.between_places[0], fmt::format("the {} '{}' is not between bodies but between joints; write 'of' "
                                                    "with the names of two joints",
                                                    type.name, given.name));
    }
    if (!given.factor && type.needs_factor) {
        refuse(given.place, fmt::format("the {} '{}' needs the key '{}'", type.name, given.name, type.factor_key));
    }
    if (given.offset && !type.has_offset) {
        refuse(given.offset_place, fmt::format("the {} '{}' has a superfluous key 'offset'; remove it, or use a mimic",
                                               type.name, given.name));
    }
}

}  // namespace

std::span<const CouplingType> coupling_types() { return coupling_table; }

const CouplingType* coupling_type(std::string_view name) {
    const auto found = std::ranges::find(coupling_table, name, &CouplingType::name);
    return found == coupling_table.end() ? nullptr : &*found;
}

bool is_coupling(const JointProperties& given) { return coupling_type(given.type) != nullptr; }

Joint make_coupling(const Model& model, const JointProperties& given) {
    const auto& type = *coupling_type(given.type);
    check_coupling_keys(given, type);
    const auto first = coupled_end(model, given, 0, type), second = coupled_end(model, given, 1, type);
    if (first.coordinate == second.coordinate) {
        refuse(given.of_places[1], fmt::format("the {} '{}' couples {} with itself; name two joints", type.name,
                                               given.name, full_name(first)));
    }
    Joint joint;
    joint.given = given;
    const auto factor = given.factor.value_or(1);
    const auto shift = second.start - factor * first.start + given.offset.value_or(0);
    const auto end = [&](const CoupledEnd& e) {
        return Coupling::End{static_cast<std::size_t>(e.joint - model.joints.data()),
                             static_cast<std::size_t>(e.coordinate - e.joint->coordinates.data())};
    };
    joint.coupling = Coupling{{end(first), end(second)}, factor, shift};
    joint.sides = second.joint->sides;
    for (auto& side : joint.sides) {
        side.off_axis.reset();  // the joint itself sees to it
    }
    joint.rows.push_back({std::string(type.factor_key),
                          second.coordinate->value - factor * first.coordinate->value - shift, second.coordinate->force,
                          second.coordinate->torque});
    return joint;
}

}  // namespace libration
