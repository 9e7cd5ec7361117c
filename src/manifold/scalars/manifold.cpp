// The manifold in all scalars.
#include "manifold/manifold.hpp"

namespace libration {

#define LIBRATION_INSTANTIATE(scalar) template class Manifold<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
