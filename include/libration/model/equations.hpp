// A model as mathematics: its energy, constraints and forces, then its equations of motion.
#pragma once

#include <libration/model/model.hpp>

namespace [[gnu::visibility("default")]] libration {

// The lines of an aligned environment: each has a & before its relation, none ends in \\. Small models show their
// equations of motion with explicit derivatives, others the general form; families of terms are sums over their
// indices.
std::vector<std::string> latex_equations(const Model& model);

}  // namespace libration
