// Loads of a mechanism: gravity, springs and dampers between points or in joints, forces at points, torques on bodies.
// They become terms of the potential, or generalized forces. (decision 49)
#pragma once

#include <libration/expression/expression.hpp>
#include <libration/model/force.hpp>

#include <array>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// Between two points, formulas of coordinates in the world, or along or about the axis of a joint: "hinge", or
// "slide.displacement" where the joint has several coordinates.
struct SpringProperties {
    std::array<std::vector<Expression>, 2> between = {};
    std::string joint = {};
    Expression stiffness;
    Expression rest = 0;  // the length or the angle at which it is relaxed
};

struct DamperProperties {
    std::string name;  // of the force
    std::array<std::vector<Expression>, 2> between = {};
    std::string joint = {};
    Expression coefficient;
};

// One of three: a torque on a body, a force at a point, which is a formula of coordinates in the world, or what acts
// between the bodies of a joint. In the world, or in the frame of the body.
struct LoadProperties {
    std::string name;
    ForceClass kind = ForceClass::driving;
    std::string body = {};
    std::vector<Expression> at = {};
    std::string joint = {};
    std::vector<Expression> value;  // three components, or the one of a joint
    bool in_body = false;
};

}  // namespace libration
