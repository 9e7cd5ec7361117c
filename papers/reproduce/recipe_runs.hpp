// The runs of a recipe.
#pragma once

#include "reproduce/numbers.hpp"
#include "reproduce/run_watch.hpp"

#include "reproduce.hpp"
#include <libration/analysis/analysis.hpp>

namespace libration {

// What figures need of a run: one per step.
struct RunOutcome {
    std::vector<std::map<Column, std::vector<double>>> columns;
    std::map<std::string, std::vector<plot::Figure>> analyses;  // figures of the last step, by the name of the analysis
};

// The model with edits and parameters of its `index`-th run.
Model model_of(const RecipeRun& run, std::size_t index);
// The options of its `index`-th run.
IntegrationOptions options_of(const RecipeRun& run, const Model& model, std::size_t index);

// Makes all runs of `run`, puts its numbers into `numbers`. Throws InputError if a run fails that may not, Interrupted.
RunOutcome perform(const RecipeRun& run, const std::vector<Column>& columns, Numbers& numbers);

// Numbers that every run has, regardless of what its recipe measures.
std::vector<std::string> names_of_run_numbers();

// The same from a terminal, one per step.
std::vector<ItemCommand> commands_of(const RecipeRun& run, const std::string& id);

}  // namespace libration
