// Legendre polynomials P_0, P_1, ... and the nodes of quadrature formulas made of them.
#pragma once

#include "wide.hpp"

#include <cstddef>
#include <vector>

namespace libration {

// P_0(x) .. P_degree(x) by the three-term recurrence, stable on [-1, 1].
std::vector<Wide> legendre(std::size_t degree, Wide x);

// Nodes on [0, 1] in increasing order. Gauss: zeros of P_s. Lobatto: 0, 1 and the zeros of P'_(s-1). Radau: the zeros
// of P_s - P_(s-1), of which the last is 1. Gauss and Lobatto nodes are symmetric to the bit: c_i = 1 - c_(s+1-i).
std::vector<Wide> gauss_nodes(std::size_t stages);
std::vector<Wide> lobatto_nodes(std::size_t stages);
std::vector<Wide> radau_nodes(std::size_t stages);

}  // namespace libration
