// Values that replace those of a model, as they are given: "g=1".
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace libration {

// InputError if it is not a name and a value.
void check_assignment(const std::string& text);

// Names and values. InputError for anything else, and for a name that is there twice.
std::vector<std::pair<std::string, std::string>> read_assignments(const std::vector<std::string>& texts);

}  // namespace libration
