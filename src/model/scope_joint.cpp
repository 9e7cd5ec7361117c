// The parts of joints in formulas: hinge.angle, hinge.rate, hinge.force.x, lambda_hinge.axis[1].
#include "joint_formulas.hpp"
#include "joint_places.hpp"
#include "scope.hpp"

#include "text/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace libration {

namespace {

constexpr std::array reactions{"force", "torque", "body_force", "body_torque"};

std::vector<std::string> joint_parts(const Joint& joint, bool multiplier) {
    std::vector<std::string> parts;
    if (multiplier) {
        for (const auto& row : joint.rows) {
            parts.push_back(row.name);
        }
        return parts;
    }
    for (const auto& coordinate : joint.coordinates) {
        parts.push_back(coordinate.name);
        parts.push_back(coordinate.rate_name);
    }
    parts.insert(parts.end(), reactions.begin(), reactions.end());
    if (joint.contact) {
        parts.emplace_back("point");
    }
    return parts;
}

// The sum of minus the multipliers times the wrenches.
Vector3 reaction(const Joint& joint, Vector3 JointRow::*wrench) {
    Vector3 sum{0, 0, 0};
    for (const auto& row : joint.rows) {
        sum = sum - symbol(fmt::format("lambda_{}.{}", joint.name(), row.name)) * (row.*wrench);
    }
    return sum;
}

Value joint_value(const Vector3& vector) { return {{vector.begin(), vector.end()}}; }

}  // namespace

const Joint* joint_of(const Model& model, std::string_view name) {
    constexpr std::string_view prefix = "lambda_";
    for (const auto& wanted : {name, name.starts_with(prefix) ? name.substr(prefix.size()) : std::string_view()}) {
        if (const auto found = model.joint_numbers.find(std::string(wanted)); found != model.joint_numbers.end()) {
            return &model.joints[found->second];
        }
    }
    return nullptr;
}

Vector3 reaction_force(const Joint& joint) { return reaction(joint, &JointRow::force); }
Vector3 reaction_torque(const Joint& joint) { return reaction(joint, &JointRow::torque); }

JointSymbols joint_symbols(const Joint& joint) {
    JointSymbols symbols;
    for (const auto& coordinate : joint.coordinates) {
        if (coordinate.name == "angle") {
            symbols.angle = coordinate.value;
            symbols.rate = coordinate.rate;
        } else if (coordinate.name == "displacement") {
            symbols.displacement = coordinate.value;
            symbols.speed = coordinate.rate;
        }
    }
    symbols.point = joint.contact ? joint.contact->point : Vector3{0, 0, 0};
    symbols.force = reaction_force(joint);
    symbols.torque = reaction_torque(joint);
    return symbols;
}

Value ModelScope::joint_member(const Joint& joint, std::string_view name, const Member& wanted) const {
    const bool multiplier = name != joint.name();
    auto part = wanted.name;
    for (const auto& index : multiplier ? wanted.indices : std::vector<Expression>{}) {
        part += fmt::format("[{}]", to_string(index));
    }
    const auto full = fmt::format("{}.{}", name, part);
    const auto parts = joint_parts(joint, multiplier);
    if (std::ranges::find(parts, part) == parts.end()) {
        throw std::invalid_argument(fmt::format("'{}' has no '{}'{}", name, part, suggestion(part, parts)));
    }
    if (!wanted.arguments.empty() || (!multiplier && !wanted.indices.empty())) {
        throw std::invalid_argument(
            fmt::format("{} takes no {}", full, wanted.arguments.empty() ? "index" : "arguments"));
    }
    const auto require_shown = [&](bool visible, std::string_view what) {
        if (!visible) {
            throw std::invalid_argument(fmt::format("{} depends on the {} and cannot be used here", full, what));
        }
    };
    if (multiplier) {
        require_shown(visible_.multipliers, "multipliers");
        return {{symbol(full)}};
    }
    require_shown(visible_.coordinates, "coordinates");
    for (const auto& coordinate : joint.coordinates) {
        if (part == coordinate.name && coordinate.wraps && !joint.given.turns) {
            throw std::invalid_argument(
                fmt::format("{0} counts turns along a run, which the model must do from the start: "
                            "give turns = true in the `[[joint]]` {1}, or use {0} in the model, "
                            "such as in `[observables]`",
                            full, joint.name()));
        }
        if (part == coordinate.name) {
            return {{coordinate.value}};
        }
        if (part == coordinate.rate_name) {
            require_shown(visible_.velocities, "velocities");
            return {{coordinate.rate}};
        }
    }
    if (part == "point") {
        return joint_value(joint.contact->point);
    }
    require_shown(visible_.multipliers, "multipliers");
    const auto world = part.ends_with("force") ? reaction_force(joint) : reaction_torque(joint);
    const auto& body = joint.sides[1].body;
    return joint_value(part.starts_with("body_") && body ? frame_of(model_->bodies[*body]).local_direction(world)
                                                         : world);
}

}  // namespace libration
