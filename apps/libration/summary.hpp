// The summary of a run in words.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/model/model.hpp>

namespace libration::app {

void print_summary(const Run& run, const Model& model, const std::string& out);

}  // namespace libration::app
