// Messages of the library in the words of Python.
#pragma once

#include <string>
#include <vector>

namespace libration::python {

// The library names options as the command line has them; here --step H becomes step=H, --project project=True, and so on.
std::string python_words(const std::string& message);
std::vector<std::string> python_words(std::vector<std::string> messages);

}  // namespace libration::python
