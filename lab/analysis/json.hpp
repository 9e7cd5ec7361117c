// Results of the laboratory as JSON: one object, as io/json.hpp writes runs.
#pragma once

#include "parasitic.hpp"
#include "reports/multistep_report.hpp"
#include "reports/tableau_report.hpp"
#include <libration/analysis/analysis.hpp>
#include <libration/analysis/certify.hpp>
#include <libration/analysis/check.hpp>
#include <libration/analysis/compare.hpp>

#include <string>

namespace libration {

// Analyses of one file.
struct AnalysisReport {
    std::string file, model, method;
    std::vector<AnalysisResult> results;
};

std::string json_of(const ModelCheck& check);
std::string json_of(const std::vector<Certificate>& certificates);
std::string json_of(const Comparison& comparison);
std::string json_of(const MultistepReport& report);
std::string json_of(const TableauReport& report);
std::string json_of(const ParasiticWatch& watch);
// Ratings of a search, best first.
std::string json_of(int k, const std::vector<MultistepRating>& candidates);
std::string json_of(const AnalysisReport& report);
std::string json_of_analyses();

}  // namespace libration
