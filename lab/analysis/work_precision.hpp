// The figure of a comparison: error against work, one line a method.
#pragma once

#include <libration/analysis/compare.hpp>
#include <libration/plot/figure.hpp>

namespace libration::plot {

enum class Work { evaluations, seconds };

// Both axes are logarithmic; runs that failed and errors that are not known are left out.
Figure work_precision_figure(const Comparison& comparison, Work work = Work::evaluations);

}  // namespace libration::plot
