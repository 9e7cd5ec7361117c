// Loads of mechanisms from C++.
#include <libration/model/builder.hpp>

#include "bushing.hpp"
#include "draft.hpp"
#include "dynamics.hpp"
#include "joint_formulas.hpp"
#include "loads.hpp"
#include "motion_formulas.hpp"

#include <fmt/format.h>

namespace libration {

namespace {

Vector3 in_space(const std::vector<Expression>& vector, const std::string& what) {
    if (vector.size() != 2 && vector.size() != 3) {
        refuse({}, fmt::format("{} has {} components; it needs two or three", what, vector.size()));
    }
    return {vector[0], vector[1], vector.size() == 3 ? vector[2] : Expression(0)};
}

// Either a joint, or two points.
template <class Properties>
const JointCoordinate* coordinate_of_load(const Model& model, const Properties& given, const std::string& what) {
    if (given.joint.empty() == (given.between[0].empty() && given.between[1].empty())) {
        refuse({}, fmt::format("{} acts between two points or in a joint: give one of both", what));
    }
    return given.joint.empty() ? nullptr : &joint_coordinate(model, given.joint, {});
}

}  // namespace

ModelBuilder& ModelBuilder::gravity(const std::vector<Expression>& acceleration) {
    draft_->set_gravity(acceleration, {});
    return *this;
}

ModelBuilder& ModelBuilder::spring(const SpringProperties& given) {
    const std::string what = "a spring";
    if (const auto* coordinate = coordinate_of_load(draft_->model(), given, what)) {
        if (coordinate->wraps &&
            !joint_of(draft_->model(), given.joint.substr(0, given.joint.find('.')))->given.turns) {
            refuse({},
                   fmt::format("a spring about the axis of the joint {0} depends on turns; give the joint {0} turns = "
                               "true",
                               given.joint));
        }
        return potential(given.stiffness * pow(coordinate->value - given.rest, 2) / 2);
    }
    return potential(
        spring_energy(in_space(given.between[0], what), in_space(given.between[1], what), given.stiffness, given.rest));
}

ModelBuilder& ModelBuilder::damper(const DamperProperties& given) {
    const auto what = fmt::format("the damper '{}'", given.name);
    const auto& model = draft_->model();
    const auto* coordinate = coordinate_of_load(model, given, what);
    const auto speed =
        coordinate != nullptr
            ? coordinate->rate
            : rate_of(distance_between(in_space(given.between[0], what), in_space(given.between[1], what)), model);
    Force force{given.name, ForceClass::dissipative, {}, {}};
    EffortSum(model, force).add(std::array{Effort{-(given.coefficient * speed), speed}}, {});
    draft_->model().forces.push_back(std::move(force));
    return *this;
}

ModelBuilder& ModelBuilder::bushing(const BushingProperties& given) {
    const auto made = make_bushing(*draft_, given);
    if (made.energy) {
        potential(*made.energy);
    }
    add_bushing_dampers(*draft_, given, made);
    return *this;
}

ModelBuilder& ModelBuilder::load(const LoadProperties& given) {
    const auto& model = draft_->model();
    const auto what = fmt::format("the force '{}'", given.name);
    if (static_cast<int>(given.body.empty()) + static_cast<int>(given.at.empty()) +
            static_cast<int>(given.joint.empty()) !=
        2) {
        refuse({}, fmt::format("{} acts on a body, at a point or in a joint: give one of these", what));
    }
    Force force{given.name, given.kind, {}, {}};
    EffortSum sum(model, force);
    if (!given.joint.empty()) {
        if (given.value.size() != 1) {
            refuse({}, fmt::format("{} has {} values; in a joint it is one", what, given.value.size()));
        }
        sum.add(std::array{Effort{given.value[0], joint_coordinate(model, given.joint, {}).rate}}, {});
    } else {
        auto value = in_space(given.value, what);
        const auto point = given.at.empty() ? Vector3{} : in_space(given.at, what);
        const auto body = [&]() -> const Body& {
            return given.at.empty() ? body_named(model, given.body, {}) : body_of_point(model, point, {});
        };
        value = given.in_body ? frame_of(body()).direction(value) : value;
        sum.add(given.at.empty() ? torque_efforts(model, body(), value) : point_efforts(model, point, value), {});
    }
    draft_->model().forces.push_back(std::move(force));
    return *this;
}

}  // namespace libration
