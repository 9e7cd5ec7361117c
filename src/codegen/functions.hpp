// The elementary functions that generated code calls.
#pragma once

#include "module_interface.hpp"

namespace libration::codegen {

const Functions& elementary_functions();

}  // namespace libration::codegen
