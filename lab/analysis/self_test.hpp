// The derivatives of a system, compared with those of its values by dual numbers.
#pragma once

#include <libration/kit/dual.hpp>
#include <libration/kit/system.hpp>

#include <vector>

namespace libration {

struct StartValues {
    std::vector<double> q, p;
};

// The largest difference between the derivatives of `system` (H_q, H_p, G, G_q(v, v), H_pp, those of forces) and those
// of the values of `dual_system`, which is the same one, relative to the largest entry of each; where its terms cancel,
// to a thousandth of the terms.
double derivative_error(System<double>& system, System<Dual<double>>& dual_system, const StartValues& start);

}  // namespace libration
