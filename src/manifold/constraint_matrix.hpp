// The choice of a factorisation of A = G M^-1 G^T; the interface is system/constraint_matrix.hpp.
#pragma once

#include <libration/kit/scalars.hpp>
#include <libration/kit/system.hpp>

#include <memory>

namespace libration {

// The factorisation that suits the system. Linear time and memory for chains and trees, whatever their numbering.
template <class S>
std::unique_ptr<ConstraintMatrix<S>> make_constraint_matrix(const System<S>& system);

// The one factorisation that all users of a system share: its structure is found once. Numbers belong to the users.
template <class S>
std::shared_ptr<ConstraintMatrix<S>> constraint_matrix(System<S>& system);

// Compiled once, in src/manifold/constraint_matrix.cpp.
#define LIBRATION_EXTERN(scalar)                                                                                     \
    extern template std::unique_ptr<ConstraintMatrix<scalar>> make_constraint_matrix<scalar>(const System<scalar>&); \
    extern template std::shared_ptr<ConstraintMatrix<scalar>> constraint_matrix<scalar>(System<scalar>&);
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
