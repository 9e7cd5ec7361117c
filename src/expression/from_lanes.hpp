// A number that varies between the trajectories of an ensemble, as a scalar that represents many trajectories.
#pragma once

#include <libration/kit/pack.hpp>
#include <libration/kit/traced.hpp>
#include <libration/text/error.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace libration {

// The symbol that represents a varied parameter in a recorded step.
inline std::string varied_symbol_name(const std::string& name) { return "varied " + name; }

// Packs take one value per lane, recorded steps a symbol; scalars of one trajectory have no lanes to choose from.
template <class S>
S from_lanes(const std::string& name, const std::vector<double>& lanes) {
    if constexpr (std::is_same_v<S, Pack>) {
        Pack value;
        if (lanes.size() != value.lane.size()) {
            throw InputError("the parameter '" + name + "' has values for another number of lanes than a pack has");
        }
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
            value.lane[lane] = lanes[lane];
        }
        return value;
    } else if constexpr (records_operations<S>) {
        return {symbol(varied_symbol_name(name))};
    } else {
        throw InputError("the parameter '" + name + "' varies between trajectories where a single value is needed");
    }
}

}  // namespace libration
