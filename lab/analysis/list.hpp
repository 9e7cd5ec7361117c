// The list of analyses, in the order in which they are shown: one line each, the one place where a new analysis is
// named.
#pragma once

#include <libration/analysis/analysis.hpp>

// clang-format off
#define LIBRATION_ANALYSES(analysis) \
    analysis(summary) \
    analysis(drift) \
    analysis(error_growth) \
    analysis(modified_energy) \
    analysis(averages) \
    analysis(oscillatory) \
    analysis(toda) \
    analysis(lyapunov) \
    analysis(transport) \
    analysis(portrait) \
    analysis(poincare)
// clang-format on

namespace libration {

#define LIBRATION_DECLARE_ANALYSIS(name) AnalysisRecord name##_analysis();
LIBRATION_ANALYSES(LIBRATION_DECLARE_ANALYSIS)
#undef LIBRATION_DECLARE_ANALYSIS

}  // namespace libration
