// SHAKE and leapfrog: momenta between the nodes.
#include "methods/staggered_stepper.hpp"

namespace libration {

#define LIBRATION_INSTANTIATE(scalar) template class StaggeredStepper<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
