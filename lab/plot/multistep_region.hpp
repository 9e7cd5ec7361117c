// The picture of condition (13): where sigma of a symmetric multistep method has all of its roots on the unit circle.
#pragma once

#include <libration/plot/figure.hpp>

#include <vector>

namespace libration::plot {

// The square of a_1 and a_2, as in Fig. 1 of [CHL]; with more parameters, a slice; k >= 6. `a` holds
// k/2 - 1 parameters: the first two are marked, all others kept.
Figure multistep_region_figure(const std::vector<double>& a, double beta = 0);

}  // namespace libration::plot
