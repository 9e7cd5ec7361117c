// Gregory's quadrature over equidistant nodes: the weight of every node is 1 but for corrections near both ends.
#pragma once

#include <vector>

namespace libration {

// The corrections a_0, a_1, ... that `count` nodes at each end get, 1 to 10 of them: with sums over n = 0..N of
// (1 + a_n + a_(N-n)) f(n), the integral from 0 to N is exact for polynomials of degree below `count` if there are at
// least so many nodes.
std::vector<double> gregory_corrections(int count);

}  // namespace libration
