// libration._core.arguments: the tables of requests as Python sees them.
#include "bindings.hpp"
#include "errors.hpp"

#include "request/arguments.hpp"

#include <pybind11/stl.h>

namespace libration::python {

namespace py = pybind11;

namespace {

const char* kind_name(FieldKind kind) {
    switch (kind) {
        case FieldKind::number: return "number";
        case FieldKind::whole: return "whole";
        case FieldKind::flag: return "flag";
        case FieldKind::texts: return "texts";
        case FieldKind::numbers: return "numbers";
        default: return "text";
    }
}

}  // namespace

void bind_requests(py::module_& m) {
    m.def(
        "arguments",
        [](const std::string& task) {
            py::list all;
            for (const auto& argument : arguments_of(task)) {
                if ((argument.uses & use::python) != 0) {
                    all.append(py::make_tuple(argument.keyword_name(), kind_name(argument.kind),
                                              told_in_python(argument.meaning())));
                }
            }
            return all;
        },
        py::arg("task"), "Name, kind and meaning of the arguments of a task: run, ensemble, certify, compare, ...");
}

}  // namespace libration::python
