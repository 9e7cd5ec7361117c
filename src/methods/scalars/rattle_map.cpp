// RATTLE as a map.
#include "methods/rattle_map.hpp"

namespace libration {

#define LIBRATION_INSTANTIATE(scalar) template class RattleMap<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
