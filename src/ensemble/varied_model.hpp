// The model of one trajectory, and of several in lanes.
#pragma once

#include "model_shape.hpp"
#include "system/lane_values.hpp"
#include <libration/ensemble/variation.hpp>
#include <libration/model/model.hpp>

#include <optional>
#include <span>

namespace libration {

class VariedModel {
  public:
    // Both must outlive it. InputError for a name that the model does not have or that cannot vary.
    VariedModel(const Model& base, const VariedValues& values);

    [[nodiscard]] const Model& base() const { return *base_; }
    // What runs in lanes: the base model, or the one that carries some of its redundant rows, which must outlive this.
    [[nodiscard]] const Model& lane_model() const { return *lane_model_; }
    void use_in_lanes(const Model& model) { lane_model_ = &model; }
    [[nodiscard]] bool parameters_vary() const { return parameters_vary_; }
    // Whether a member has the formulas of the base model; its lane would integrate those.
    [[nodiscard]] bool has_equations_of_base(const Model& member) const;
    // As if the values had been given with --set, and under [initial]. InputError if the model refuses them.
    [[nodiscard]] Model of(std::size_t trajectory) const;
    // The values of varied parameters, one per lane: those of the trajectory in the lane. All else is as in the base
    // model.
    [[nodiscard]] LaneValues in_lanes(std::span<const std::size_t> trajectories) const;

  private:
    struct Target {
        bool parameter = false;
        std::size_t number = 0;  // of the parameter, or of the coordinate
        InitialValue::Kind kind = InitialValue::Kind::position;
    };
    [[nodiscard]] Target find(const std::string& name) const;
    void refuse_shape(const std::string& name) const;
    [[nodiscard]] bool turns_axes(const std::string& name, double value) const;

    const Model *base_, *lane_model_;
    const VariedValues* values_;
    std::vector<Target> targets_;  // one per name
    bool parameters_vary_ = false;
    std::optional<ModelShape> equations_;  // of the base model; none: all members have them
};

}  // namespace libration
