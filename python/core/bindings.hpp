// The doors of the module, one file each.
#pragma once

#include <pybind11/pybind11.h>

namespace libration::python {

void bind_arrays(pybind11::module_& m);
void bind_errors(pybind11::module_& m);
void bind_requests(pybind11::module_& m);
void bind_expressions(pybind11::module_& m);
void bind_external(pybind11::module_& m);
void bind_models(pybind11::module_& m);
void bind_constraint_gradients(pybind11::module_& m);
void bind_joint_places(pybind11::module_& m);
void bind_model_texts(pybind11::module_& m);
void bind_model_trees(pybind11::module_& m);
void bind_runs(pybind11::module_& m);
void bind_ensembles(pybind11::module_& m);
void bind_reports(pybind11::module_& m);
void bind_choices(pybind11::module_& m);
void bind_gradients(pybind11::module_& m);

// For a class without a constructor: Type.__new__(Type) alone would make an object without content, and its first use
// would read memory that was never written.
inline void only_from_functions(const pybind11::object& type) {
    const pybind11::cpp_function refuse([](const pybind11::args&, const pybind11::kwargs&) -> pybind11::object {
        throw pybind11::type_error(
            "these objects are created by the functions of the package, not by calling the class");
    });
    type.attr("__new__") = pybind11::reinterpret_steal<pybind11::object>(PyStaticMethod_New(refuse.ptr()));
}

}  // namespace libration::python
