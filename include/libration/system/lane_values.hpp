// Parameters that differ from one trajectory of an ensemble to the next, for systems that stand for many trajectories.
#pragma once

#include <libration/expression/from_lanes.hpp>
#include <libration/model/formula.hpp>

#include <string>
#include <vector>

namespace libration {

struct LaneParameter {
    std::string name;
    std::vector<double> values;  // one per lane
};
using LaneValues = std::vector<LaneParameter>;

// The same, as scalars that stand for all lanes.
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
