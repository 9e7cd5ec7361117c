// The summary of a run in words.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/model/model.hpp>

#include <string>

namespace libration::app {

// One line of a summary, its text beside the label.
void summary_line(const char* label, const std::string& text);
// Where nobody can miss it: last, on standard error, in a frame.
void warn_of_meaningless(const RunVerdict& verdict);

void print_summary(const Run& run, const Model& model, const std::string& out);

}  // namespace libration::app
