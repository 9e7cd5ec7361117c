// The gradients of the constraints along a run, for pictures: a rod is a row whose gradient points along it.
#include "bindings.hpp"

#include "model/model_values.hpp"
#include "system/constraint_rows.hpp"
#include <libration/text/error.hpp>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

namespace libration::python {

namespace py = pybind11;

namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

// Row starts and columns of the nonzero entries of G, and the entries at every state: [state][entry].
py::tuple constraint_gradients(const Model& model, const Numbers& times, const Numbers& positions) {
    if (times.ndim() != 1 || positions.ndim() != 2 || times.shape(0) != positions.shape(0) ||
        static_cast<std::size_t>(positions.shape(1)) != model.dimension) {
        throw InputError("gradients of constraints need one time and one q for each state");
    }
    SparsePattern pattern;
    ConstraintRows<double> rows(model, parameter_values<double>(model), pattern);
    const auto states = static_cast<std::size_t>(times.shape(0));
    Numbers gradients({states, pattern.entries()});
    for (std::size_t k = 0; k < states; ++k) {
        rows.jacobian(times.data()[k], {positions.data() + k * model.dimension, model.dimension},
                      {gradients.mutable_data() + k * pattern.entries(), pattern.entries()}, {});
    }
    return py::make_tuple(pattern.row_start, pattern.column, gradients);
}

}  // namespace

void bind_constraint_gradients(py::module_& m) {
    m.def("constraint_gradients", &constraint_gradients, py::arg("model"), py::arg("t"), py::arg("q"),
          "Row starts, columns and entries [state][entry] of G at the states (t, q).");
}

}  // namespace libration::python
