// Parameters that vary between the trajectories of an ensemble, for systems that represent many trajectories.
#pragma once

#include "expression/from_lanes.hpp"
#include "model/model_values.hpp"

#include <libration/kit/make_system.hpp>

namespace libration {

// As scalars that represent all lanes.
template <class S>
ParameterValues<S> lane_parameters(const LaneValues& lanes) {
    ParameterValues<S> given;
    for (const auto& [name, values] : lanes) {
        given.symbols.push_back(symbol(name));
        given.values.push_back(from_lanes<S>(name, values));
    }
    return given;
}

}  // namespace libration
