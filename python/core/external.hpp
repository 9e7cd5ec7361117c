// Functions of Python that cannot be traced, as the library calls them.
#pragma once

#include <libration/model/external.hpp>

#include <pybind11/pybind11.h>

#include <memory>

namespace libration::python {

// _core.External, or None: null. TypeError for anything else. The functions take the GIL for every call: they may be
// called, and the last owner may let go of them, while nobody holds it.
std::shared_ptr<const ExternalFunctions> functions_of(const pybind11::object& external);

}  // namespace libration::python
