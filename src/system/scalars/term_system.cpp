// The systems of terms, and what other systems share with them, over all scalars.
#include "system/term_system.hpp"

namespace libration {

#define LIBRATION_INSTANTIATE(scalar)         \
    template class ConstraintRows<scalar>;    \
    template class PotentialTerms<scalar>;    \
    template class ConstrainedSystem<scalar>; \
    template class TermSystem<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
