// The outcome of a run in words, for terminals and notebooks.
#pragma once

#include <libration/integrate/run.hpp>

#include <utility>

namespace libration {

// Lines of a label and a text each: method, steps, energy, residuals, invariants, events, work.
std::vector<std::pair<std::string, std::string>> run_facts(const Run& run);

}  // namespace libration
