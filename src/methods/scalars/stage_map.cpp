// Runge-Kutta methods on the manifold.
#include "methods/stage_map.hpp"

namespace libration {

#define LIBRATION_INSTANTIATE(scalar) template class StageMap<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
