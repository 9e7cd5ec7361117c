// Reactions of joints as formulas.
#pragma once

#include "body_frame.hpp"

#include <libration/model/model.hpp>

namespace libration {

// The joint of that name, which may stand behind lambda_; null: there is none.
const Joint* joint_of(const Model& model, std::string_view name);

// On the second body at the joint, over coordinates and multipliers, in the world.
Vector3 reaction_force(const Joint& joint);
Vector3 reaction_torque(const Joint& joint);

JointSymbols joint_symbols(const Joint& joint);

}  // namespace libration
