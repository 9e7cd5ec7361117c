// The system that suits a model.
#pragma once

#include <libration/model/model.hpp>
#include <libration/system/lane_values.hpp>
#include <libration/system/system.hpp>

#include <memory>

namespace libration {

// `lanes`: values of parameters that differ from lane to lane, instead of those of the model; for packs and recorded steps.
template <class S>
std::unique_ptr<System<S>> make_system(const Model& model, const LaneValues& lanes = {});

}  // namespace libration
