// Results as JSON: one object, shortest numbers that read back to the same double, null for what is not finite.
#pragma once

#include <libration/analysis/certify.hpp>
#include <libration/analysis/check.hpp>
#include <libration/analysis/compare.hpp>
#include <libration/analysis/parasitic.hpp>
#include <libration/coefficients/multistep_report.hpp>
#include <libration/coefficients/tableau_report.hpp>
#include <libration/ensemble/ensemble.hpp>
#include <libration/integrate/events.hpp>
#include <libration/integrate/run.hpp>

#include <string>

namespace libration {

// Arrays longer than 10,000 entries are left out (null) without `full`.
std::string json_of(const Run& run, bool full = false);
// With the states of its events.
std::string json_of(const Run& run, const EventRecorder& events, bool full = false);
// Likewise lists of more than 10,000 trajectories or times.
std::string json_of(const EnsembleResult& result, bool full = false);
std::string json_of(const ModelCheck& check);
std::string json_of(const std::vector<Certificate>& certificates);
std::string json_of(const Comparison& comparison);
std::string json_of(const MultistepReport& report);
std::string json_of(const TableauReport& report);
std::string json_of(const ParasiticWatch& watch);
// Ratings of a search, best first.
std::string json_of(int k, const std::vector<MultistepRating>& candidates);
std::string json_of_methods();
std::string json_of_problems();

}  // namespace libration
