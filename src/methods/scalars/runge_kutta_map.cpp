// RungeKuttaMap over every scalar that stands for one trajectory.
#include "methods/runge_kutta_map.hpp"

namespace libration {

#define LIBRATION_INSTANTIATE(scalar) template class RungeKuttaMap<scalar>;
LIBRATION_INSTANTIATE_SINGLE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
