// Models whose mass matrix has no inverse. [Jay 1998, (10), (13)]
#pragma once

#include <libration/model/model.hpp>

namespace libration {

// An ordinary model with the same motion, of a model with singular_mass: coordinates (q, r) and velocities (v, w),
//
//     T + w^T G(q) v,     0 = g(q),     0 = r
//
// so that p_q = M v + G^T w and p_r = G v. Along every motion r = w = p_r = 0. Its matrix [[M, G^T], [G, 0]] is regular
// where G has full rank and no direction has neither mass nor constraint, which is (10). The coordinates r are the last
// ones, and so are their rows; their names cannot be written in a model.
Model augmented(const Model& model);

// Instance k of a formula, over coordinates and scalar parameters alone.
Expression instance_of(const Model& model, const Formula& formula, std::size_t k);

// How many coordinates, and as many rows, were added; 0 of ordinary models. Of augmented models only.
inline std::size_t added_coordinates(const Model& model) { return model.singular_mass ? model.constraint_rows / 2 : 0; }

// The matrix M at the initial values and t = 0, dense; and G, one row per constraint. For models without a field or
// hamiltonian.
std::vector<double> initial_mass_matrix(const Model& model);
std::vector<double> initial_constraint_jacobian(const Model& model);

}  // namespace libration
