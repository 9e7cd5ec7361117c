// What `check` found, in words.
#pragma once

#include <libration/analysis/check.hpp>

namespace libration {

// Lines of a label and a text each: sizes, rank, energy, residuals, derivatives.
std::vector<std::pair<std::string, std::string>> check_facts(const ModelCheck& check, const Model& model);

}  // namespace libration
