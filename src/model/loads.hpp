// From loads to energies and generalized forces.
#pragma once

#include "body_frame.hpp"

#include <libration/model/force.hpp>
#include <libration/model/model.hpp>

#include <unordered_map>

namespace libration {

// 1/2 k (|b - a| - rest)^2; smooth where both ends meet if rest is the constant 0.
Expression spring_energy(const Vector3& a, const Vector3& b, const Expression& stiffness, const Expression& rest);
// |b - a|, and along a joint its coordinate.
Expression distance_between(const Vector3& a, const Vector3& b);

// A force and the speed on which it does work. Both may depend on velocities; the speed does so linearly.
struct Effort {
    Expression force, speed;
};
// Adds the sum of force times d speed/dv_k to the components on the coordinates k of the force.
class EffortSum {
  public:
    EffortSum(const Model& model, Force& force);
    void add(std::span<const Effort> efforts, const Place& place);

  private:
    const Model* model_;
    Force* force_;
    std::unordered_map<std::size_t, std::size_t> components_;  // by coordinates
};

// The components of a force on a point, of a torque on a body, which are given in the world.
std::vector<Effort> point_efforts(const Model& model, const Vector3& point, const Vector3& force);
std::vector<Effort> torque_efforts(const Model& model, const Body& body, const Vector3& torque);
// In the world, over coordinates and v_, linear in v_. Of a slender body without the rotation about its axis.
Vector3 angular_velocity_of(const Model& model, const Body& body);

// "hinge", where the joint has one coordinate, or "slide.displacement".
const JointCoordinate& joint_coordinate(const Model& model, const std::string& text, const Place& place);
const Body& body_named(const Model& model, const std::string& name, const Place& place);
// The body to which the coordinates of a point belong.
const Body& body_of_point(const Model& model, const Vector3& point, const Place& place);

}  // namespace libration
