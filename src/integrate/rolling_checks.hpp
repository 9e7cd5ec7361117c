// Whether nonholonomic constraints k(t, q, v) = 0 hold at a state and can be kept from there.
#pragma once

#include <libration/kit/system.hpp>
#include <libration/model/model.hpp>

namespace libration {

// The largest |k|; 0 without such constraints.
double rolling_residual(System<double>& system, double t, std::span<const double> q, std::span<const double> p);
// How many of all constraints, with those of g, are independent at a state; the rows (G; k_v) count.
std::size_t independent_constraints(System<double>& system, double t, std::span<const double> q,
                                    std::span<const double> p);

// Ready for a user: which k are not finite, or depend on other constraints.
std::string rolling_rank_fault(const Model& model, System<double>& system, double t, std::span<const double> q,
                               std::span<const double> p);
// That k is not satisfied, with the largest residual.
std::string rolling_fault(const Model& model, System<double>& system, double t, std::span<const double> q,
                          std::span<const double> p);

}  // namespace libration
