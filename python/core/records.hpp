// Results as dictionaries of Python.
#pragma once

#include <libration/result/record.hpp>

#include <pybind11/pybind11.h>

namespace libration::python {

// What JSON would have: None for what is not finite.
pybind11::dict dict_of(const Record& record);

}  // namespace libration::python
