// Results as JSON: one object, shortest numbers that read back to the same double, null for what is not finite.
#pragma once

#include <libration/analysis/analysis.hpp>
#include <libration/analysis/certify.hpp>
#include <libration/analysis/check.hpp>
#include <libration/analysis/compare.hpp>
#include <libration/analysis/parasitic.hpp>
#include <libration/coefficients/multistep_report.hpp>
#include <libration/coefficients/tableau_report.hpp>
#include <libration/ensemble/ensemble.hpp>
#include <libration/integrate/events.hpp>
#include <libration/integrate/run.hpp>
#include <libration/reproduce/reproduce.hpp>

#include <string>

namespace libration {

// Analyses of one file.
struct AnalysisReport {
    std::string file, model, method;
    std::vector<AnalysisResult> results;
};

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
std::string json_of(const AnalysisReport& report);
std::string json_of_analyses();
// Items of papers, {items: [...]}.
std::string json_of(const std::vector<ItemResult>& items);
// The same of recipes that were not run: id, paper, title, place.
std::string json_of(const std::vector<Recipe>& recipes);
// One item with its recipe and the version of the program, as a gallery keeps it; and back, pictures with their words only,
// without setting, tables and commands. InputError if the text is damaged.
struct StoredItem {
    ItemResult item;
    std::string fingerprint;
};
std::string stored_json_of(const ItemResult& item);
StoredItem item_of_json(const std::string& text);
std::string json_of_methods();
// One specification, with doubts that its record has, though they were accepted.
std::string json_of(const Method& method);
std::string json_of_problems();
// One of them, by a name that is there, with the text of its file.
std::string json_of_problem(std::string_view name);

}  // namespace libration
