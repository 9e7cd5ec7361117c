// CHOLMOD as a back end for A = G M^-1 G^T, where the build has it (option LIBRATION_CHOLMOD). Only by explicit request: its
// bits depend on the BLAS, hence on the machine and the number of threads.
#pragma once

#include <libration/manifold/constraint_matrix.hpp>

namespace libration {

// Whether the build has CHOLMOD.
bool has_cholmod();

// The factor lives in the caller's values, so that checkpoints and copies of values behave as with our own matrices; a solve
// with values of another build of CHOLMOD is not supported. factor returns 0 where a pivot is not positive, and not a number
// where A holds what is not finite. factor and solve allocate. Throws InputError if the build has no CHOLMOD.
std::unique_ptr<ConstraintMatrix<double>> make_cholmod_matrix(const System<double>& system);

}  // namespace libration
