// Methods that suit a model.
#pragma once

#include <libration/kit/system.hpp>
#include <libration/methods/method.hpp>

#include <vector>

namespace libration {

// Up to four of different order that can run the model: the default of comparisons. InputError where there is none.
std::vector<Method> usual_methods(const SystemProperties& properties, std::size_t constraints);

// The structure-preserving methods among which a choice is made, by rising order; InputError where there is none.
std::vector<Method> candidate_methods(const SystemProperties& properties, std::size_t constraints);

}  // namespace libration
