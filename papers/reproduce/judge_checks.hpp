// Checks, and pictures, of what a recipe has measured.
#pragma once

#include "reproduce/recipe_runs.hpp"

namespace libration {

CheckResult judge(const Check& check, const Numbers& numbers);

// All that figures need of one run.
std::vector<Column> columns_for(const Recipe& recipe, const std::string& run);
std::vector<ItemResult::Picture> draw(const RecipeFigure& figure, const Numbers& numbers,
                                      const std::map<std::string, RunOutcome>& runs,
                                      const std::map<std::string, Computed>& computed);

}  // namespace libration
