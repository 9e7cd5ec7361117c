// Creates the system for a model.
#pragma once

#include <libration/kit/system.hpp>
#include <libration/model/model.hpp>

#include <memory>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// A parameter that varies between the trajectories of an ensemble, for systems that represent many
// trajectories.
struct LaneParameter {
    std::string name;
    std::vector<double> values;  // one per lane
};
using LaneValues = std::vector<LaneParameter>;

// `lanes`: values of parameters that vary between lanes, replacing those of the model; for packs and recorded
// steps.
template <class S>
std::unique_ptr<System<S>> make_system(const Model& model, const LaneValues& lanes = {});

}  // namespace libration
