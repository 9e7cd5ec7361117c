// The section [set] of a model file, which --set and model.set write.
#pragma once

#include <string>

namespace libration {

// The text without that section; as it is where it has none. Comments in the section go with it.
std::string without_set_section(const std::string& text);

}  // namespace libration
