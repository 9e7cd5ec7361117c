// From loads to energies and generalized forces.
#include "loads.hpp"

#include "dynamics.hpp"
#include "joint_formulas.hpp"
#include "joint_places.hpp"
#include "motion_formulas.hpp"

#include "text/suggest.hpp"
#include <libration/expression/differentiate.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

Expression distance_between(const Vector3& a, const Vector3& b) {
    const auto d = b - a;
    return sqrt(dot(d, d));
}

Expression spring_energy(const Vector3& a, const Vector3& b, const Expression& stiffness, const Expression& rest) {
    if (rest.is_constant(0)) {
        const auto d = b - a;
        return stiffness * dot(d, d) / 2;
    }
    return stiffness * pow(distance_between(a, b) - rest, 2) / 2;
}

EffortSum::EffortSum(const Model& model, Force& force) : model_(&model), force_(&force) {
    for (std::size_t c = 0; c < force.on.size(); ++c) {
        components_.emplace(force.on[c].coordinate, c);
    }
}

void EffortSum::add(std::span<const Effort> efforts, const Place& place) {
    for (const auto& [value, speed] : efforts) {
        for (const auto& s : symbols_of(std::array{speed})) {
            const auto number =
                s.text().starts_with("v_") ? model_->coordinate_number(s.text().substr(2)) : std::nullopt;
            if (!number) {
                continue;
            }
            const auto part = value * derivative(speed, s);
            const auto [known, is_new] = components_.emplace(*number, force_->on.size());
            if (is_new) {
                force_->on.push_back({*number, {part, place}});
            } else {
                force_->on[known->second].value.value += part;
            }
        }
    }
}

std::vector<Effort> point_efforts(const Model& model, const Vector3& point, const Vector3& force) {
    std::vector<Effort> efforts;
    for (std::size_t i = 0; i < 3; ++i) {
        efforts.push_back({force[i], rate_of(point[i], model)});
    }
    return efforts;
}

Vector3 angular_velocity_of(const Model& model, const Body& body) {
    const auto turning = [&](const Vector3& axis) {
        return cross(axis, {rate_of(axis[0], model), rate_of(axis[1], model), rate_of(axis[2], model)});
    };
    if (is_planar(body)) {
        return {0, 0, rate_of(planar_angle(body), model)};
    }
    const auto frame = frame_of(body);
    if (frame.along) {  // a slender body: nothing turns about its axis
        return turning(slender_direction(body));
    }
    // Half the sum of e x e' over the axes e of the body.
    Vector3 twice{0, 0, 0};
    for (std::size_t j = 0; j < 3; ++j) {
        twice = twice + turning({frame.axes[j], frame.axes[3 + j], frame.axes[6 + j]});
    }
    return {twice[0] / 2, twice[1] / 2, twice[2] / 2};
}

std::vector<Effort> torque_efforts(const Model& model, const Body& body, const Vector3& torque) {
    const auto omega = angular_velocity_of(model, body);
    if (is_planar(body)) {
        return {{torque[2], omega[2]}};
    }
    return {{torque[0], omega[0]}, {torque[1], omega[1]}, {torque[2], omega[2]}};
}

const JointCoordinate& joint_coordinate(const Model& model, const std::string& text, const Place& place) {
    const auto dot = text.find('.');
    const auto name = text.substr(0, dot);
    const auto* joint = joint_of(model, name);
    if (joint == nullptr || joint->name() != name) {
        std::vector<std::string> names;
        std::ranges::transform(model.joints, std::back_inserter(names), &Joint::name);
        refuse(place, fmt::format("there is no joint '{}'{}", name, suggestion(name, names)));
    }
    const auto& all = joint->coordinates;
    if (all.empty()) {
        refuse(place, fmt::format("the {} joint {} has neither an angle nor a displacement; name a revolute, "
                                  "prismatic or cylindrical joint",
                                  joint->given.type, name));
    }
    std::vector<std::string> parts;
    std::ranges::transform(all, std::back_inserter(parts), &JointCoordinate::name);
    if (dot == std::string::npos) {
        if (all.size() > 1) {
            refuse(place, fmt::format("the {} joint {} has several coordinates; write \"{}.{}\" or \"{}.{}\"",
                                      joint->given.type, name, name, parts[0], name, parts[1]));
        }
        return all[0];
    }
    const auto found = std::ranges::find(parts, text.substr(dot + 1));
    if (found == parts.end()) {
        refuse(place, fmt::format("the joint {} has no '{}'{}", name, text.substr(dot + 1),
                                  suggestion(text.substr(dot + 1), parts)));
    }
    return all[static_cast<std::size_t>(found - parts.begin())];
}

const Body& body_named(const Model& model, const std::string& name, const Place& place) {
    const auto found = model.body_numbers.find(name);
    if (found == model.body_numbers.end()) {
        std::vector<std::string> names;
        std::ranges::transform(model.bodies, std::back_inserter(names), &Body::name);
        refuse(place, fmt::format("there is no body '{}'{}", name, suggestion(name, names)));
    }
    return model.bodies[found->second];
}

const Body& body_of_point(const Model& model, const Vector3& point, const Place& place) {
    const Body* owner = nullptr;
    for (const auto& s : symbols_of(point)) {
        if (!model.coordinate_number(s.text())) {
            continue;
        }
        const auto name = s.text().substr(0, s.text().find('.'));
        const auto found = model.body_numbers.find(name);
        const auto* body = found == model.body_numbers.end() ? nullptr : &model.bodies[found->second];
        if (body == nullptr || (owner != nullptr && owner != body)) {
            owner = nullptr;
            break;
        }
        owner = body;
    }
    if (owner == nullptr) {
        refuse(place,
               "frame = \"body\" needs a point of one body, such as at = \"crank.at(1, 0, 0)\"; give the force in "
               "the world instead");
    }
    return *owner;
}

}  // namespace libration
