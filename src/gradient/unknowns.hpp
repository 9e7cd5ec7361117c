// By what a loss is differentiated: parameters and initial values.
#pragma once

#include <libration/model/model.hpp>

namespace libration {

struct Unknown {
    enum class Kind { parameter, position, momentum, velocity };
    std::string name;
    Kind kind = Kind::parameter;
    std::size_t number = 0;  // of the parameter in the model, or of the coordinate
};

// Those of these names; of no names, all scalar parameters that are numbers and decide no sizes. InputError for names
// that the model does not have, and for what cannot be differentiated.
std::vector<Unknown> unknowns_of(const Model& model, const std::vector<std::string>& names);

}  // namespace libration
