// Which rows of redundant constraints to carry: an independent set whose condition is close to the best one.
#pragma once

#include <libration/kit/system.hpp>

#include <vector>

namespace libration {

struct RowChoice {
    std::vector<std::size_t> rows;      // ascending, independent
    std::vector<std::size_t> left_out;  // ascending; as many as the null space of G^T has dimensions
};

// Rows are measured without their scale and with the masses: as rows of G M^-1/2 of length one. Rows of bodies, which
// hold these together and are independent of each other, are not left out: fast methods take them for granted. A pure
// function of t and q. Nothing is left out where the gradient of a row vanishes, or where only rows of bodies could be
// left out.
RowChoice independent_rows(System<double>& system, double t, std::span<const double> q,
                           std::span<const std::size_t> of_bodies = {});

// The smallest squared sine of the angle between a row and those before it in the order of elimination.
double pivot_of_rows(System<double>& system, double t, std::span<const double> q, std::span<const double> p);

}  // namespace libration
