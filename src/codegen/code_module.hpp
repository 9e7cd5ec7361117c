// The module that makes machine code: found and opened when code is first asked for.
#pragma once

#include "module_interface.hpp"

#include "machine_code.hpp"

namespace libration::codegen {

struct OpenedModule {
    const ModuleTable* table = nullptr;  // null: support.reason says why
    CodeSupport support;
};
const OpenedModule& code_module();

}  // namespace libration::codegen
