// The supernodal factorisation in all scalars.
#include "manifold/supernodal_constraint_matrix.hpp"

namespace libration {

#define LIBRATION_INSTANTIATE(scalar) template class SupernodalConstraintMatrix<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
