// What the multipliers of the rows of joints amount to: forces, and torques divided by a length, in the frames of the
// joints. Reactions that the mechanism does not determine are those of least norm of these numbers; a norm of
// multipliers would depend on how the rows are written.
#pragma once

#include "manifold/least_norm.hpp"
#include <libration/expression/expression.hpp>
#include <libration/kit/stepper.hpp>
#include <libration/model/model.hpp>

#include "expression/tape.hpp"

#include <string>
#include <vector>

namespace libration {

// By which torques are divided: that of `[dynamics] length`, otherwise the mean distance of the joints at the start,
// which is at t; 1 where they are all at one place. Of the model with all rows, and its system.
double reaction_length(const Model& model, System<double>& system, double t);

class JointWrenches {
  public:
    // Of the model with all rows.
    JointWrenches(const Model& model, double length);

    [[nodiscard]] bool any() const { return !blocks_.empty(); }
    [[nodiscard]] double length() const { return length_; }
    // One block per joint; then rows that carry no wrench, those of bodies. Valid until the next call.
    std::span<const WrenchBlock> at(const Node<double>& node);
    // Of all components, block after block: "hinge.force[1]", "hinge.torque[axis]". Directions 1 and 2 are across the
    // axis; joints without directions use x, y and z of the world.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  private:
    void add_joint(const Model& model, const Joint& joint, std::vector<Expression>& values);

    Tape<double> tape_;
    std::vector<WrenchBlock> blocks_;
    std::vector<std::string> names_;
    struct Source {
        bool time = false;
        std::size_t coordinate = 0;
    };
    std::vector<Source> inputs_;
    double length_;
};

}  // namespace libration
