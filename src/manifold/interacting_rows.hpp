// Rows of G that interact: parts of a mechanism that touch the ground only do not.
#pragma once

#include <libration/kit/system.hpp>

#include <vector>

namespace libration {

// One number per row, from 0: rows with the same number have coordinates in common, directly or through other rows, or
// are named together. Where M is not diagonal, all have.
std::vector<std::size_t> interacting_rows(const System<double>& system,
                                          const std::vector<std::span<const std::size_t>>& together);

}  // namespace libration
