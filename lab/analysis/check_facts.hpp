// What `check` found, in words.
#pragma once

#include <libration/analysis/check.hpp>

namespace libration {

// What the hidden residual is made of: "G v", "G v + g_t" where constraints move, "k" of constraints on velocities.
std::string hidden_residual_name(const Model& model);

// Lines of a label and a text each: sizes, rank, energy, residuals, derivatives.
std::vector<std::pair<std::string, std::string>> check_facts(const ModelCheck& check, const Model& model);

}  // namespace libration
