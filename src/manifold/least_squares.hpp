// The manifold {g = 0} from a position off it, where rows may depend on each other.
#pragma once

#include <libration/kit/system.hpp>

namespace libration {

// Rows beyond which the dense equations of one step take too long.
inline constexpr std::size_t most_rows_of_least_squares = 400;

// Moves q to where the sum of the squares of the rows, each divided by the length of its row of G M^-1/2, is smallest:
// Levenberg-Marquardt, which needs no independent rows. Returns whether every row vanishes there up to round-off (1e-10
// of its terms, as at the start of runs).
bool least_squares_position(System<double>& system, double t, std::span<double> q, std::span<const double> p);

// Whether every row of g is at most 1e-10 of the sum |G_ij q_j|, at least 1e-3.
bool rows_vanish(System<double>& system, double t, std::span<const double> q);

}  // namespace libration
