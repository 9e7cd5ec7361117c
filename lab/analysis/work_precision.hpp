// The work-precision diagram of a comparison, one line per method.
#pragma once

#include <libration/analysis/compare.hpp>
#include <libration/plot/figure.hpp>

namespace libration::plot {

enum class Work { evaluations, seconds };

// Both axes are logarithmic; runs that failed and unknown errors are omitted.
Figure work_precision_figure(const Comparison& comparison, Work work = Work::evaluations);

}  // namespace libration::plot
