// An estimate of the error from the slopes at the stages of a step: err(h) = |h sum_i e_i f_i|, where e = b - b~
// belongs to an embedded formula of order p~ that does without the first stage. [Jay 1998, (38)]
#pragma once

#include "wide.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace libration {

// Read from the other end: the same, or the same with the opposite sign. Only such weights give the same estimate on
// the way back.
enum class Parity { symmetric, antisymmetric };

struct ErrorWeights {
    std::vector<Wide> weights;
    int order;  // p~: err(h) = O(h^(p~ + 1))
};

// The parity of the divided difference over all nodes, which is the estimate of the highest order.
Parity natural_parity(std::size_t nodes);

// For nodes that lie symmetrically in [0, 1], at least two of them. The divided difference of order s - 1 (p~ = s - 1),
// or, of the other parity, the sum of those over the first and the last s - 1 nodes (p~ = s - 2). Throws an InputError
// where p~ would be 0.
ErrorWeights error_weights(std::span<const double> nodes, Parity parity);

}  // namespace libration
