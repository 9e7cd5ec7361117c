// Messages of the library as Python tells them.
#pragma once

#include <string>

namespace libration::python {

// `written`: see language.hpp.
std::string told_in_python(const std::string& message, bool written = false);

}  // namespace libration::python
