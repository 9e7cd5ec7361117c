// The summary of a run in words.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/model/model.hpp>

namespace libration::app {

// What the hidden residual is made of: "G v", "G v + g_t" where constraints move, "k" of constraints on velocities.
std::string hidden_residual_name(const Model& model);
void print_summary(const Run& run, const Model& model, const std::string& out);

}  // namespace libration::app
