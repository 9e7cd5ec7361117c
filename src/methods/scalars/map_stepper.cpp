// MapStepper over every scalar.
#include "methods/map_stepper.hpp"

namespace libration {

#define LIBRATION_INSTANTIATE(scalar) template class MapStepper<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
