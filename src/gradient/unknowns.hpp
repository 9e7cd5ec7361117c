// By what a loss is differentiated: parameters and initial values.
#pragma once

#include <libration/gradient/gradient.hpp>
#include <libration/model/model.hpp>

#include <functional>

namespace libration {

struct Unknown {
    enum class Kind { parameter, position, momentum, velocity };
    std::string name;
    Kind kind = Kind::parameter;
    std::size_t number = 0;              // of the parameter in the model, or of the coordinate
    std::optional<std::size_t> element;  // of a list: name is m[3]
};

// Those of these names, each element of a list by itself; of no names, all scalar parameters that are numbers and
// decide no sizes. InputError for names that the model does not have, and for what cannot be differentiated. Lists must
// have separate elements.
std::vector<Unknown> unknowns_of(const Model& model, const std::vector<std::string>& names);

// The lists among these names, and where their elements are among the unknowns of these names.
std::vector<DerivativeList> lists_among(const Model& model, const std::vector<std::string>& names);

// The same model with separate elements of the lists among these names, if there are any (separate_elements.hpp).
// `read_formulas` reads what else contains parameters.
std::optional<Model> with_separate_lists(const Model& model, const std::vector<std::string>& names,
                                         const std::function<void()>& read_formulas);

}  // namespace libration
