// Checks of the dynamics of a model: which of mass, kinetic energy, potential, Hamiltonian and field may be combined.
#pragma once

#include <libration/model/model.hpp>

namespace libration {

// Throws an InputError that points at the place.
[[noreturn]] void refuse(const Place& place, const std::string& message);
// Refuses what excludes each other, and symbols that mean nothing.
void check_dynamics(const Model& model);
// Refuses a condition, such as x < 1, in the place of a number; `what` and `advice` make the message.
void refuse_condition(const Expression& value, const Place& place, std::string_view what, std::string_view advice);
inline constexpr std::string_view zero_advice =
    "a constraint is an expression that is zero: write x^2 + y^2 - 1 for x^2 + y^2 = 1";
inline constexpr std::string_view number_advice =
    "a number is expected here: write if(condition, a, b) for a number that depends on a condition";
// Energies without a part are slow as soon as one has a part.
void settle_parts(Model& model);
// A mass that contains coordinates becomes a kinetic energy 1/2 v^T M(q) v.
void mass_to_kinetic(Model& model);
// T is quadratic in v, and positive definite at the initial values, or else singular, which is noted. With constant
// coefficients it becomes a mass.
void check_kinetic(Model& model);
void check_field(const Model& model);

// The number of the first row at which Cholesky's decomposition, which exists just for positive definite matrices,
// fails.
std::optional<std::size_t> indefinite_row(std::vector<double> matrix, std::size_t d);
// Positive semidefinite, not definite; as far as rounding shows it.
bool is_singular_mass(const std::vector<double>& matrix, std::size_t d);
// Refuses a singular mass matrix for which the augmented system is singular, too, or is not made. [Jay 1998, (10),
// (13)]
void check_singular_mass(const Model& model);
// How far entries (i,j) and (j,i) may differ by rounding.
bool nearly_equal_entries(std::span<const double> matrix, std::size_t d, std::size_t i, std::size_t j);

}  // namespace libration
