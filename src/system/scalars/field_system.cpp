// The systems of all scalars.
#include "system/field_system.hpp"

namespace libration {

#define LIBRATION_INSTANTIATE(scalar) template class FieldSystem<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
