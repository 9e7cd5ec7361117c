// One function a file, one line here.
#pragma once

#include <libration/analysis/analysis.hpp>

namespace libration {

AnalysisRecord summary_analysis();
AnalysisRecord lyapunov_analysis();
AnalysisRecord transport_analysis();
AnalysisRecord portrait_analysis();
AnalysisRecord poincare_analysis();
AnalysisRecord drift_analysis();
AnalysisRecord error_growth_analysis();
AnalysisRecord modified_energy_analysis();
AnalysisRecord averages_analysis();
AnalysisRecord oscillatory_analysis();
AnalysisRecord toda_analysis();

}  // namespace libration
