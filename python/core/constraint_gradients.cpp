// The gradients of the constraints along a run, for pictures: a rod is a row whose gradient points along it.
#include "arrays.hpp"
#include "bindings.hpp"

#include "model/model_values.hpp"
#include "system/constraint_rows.hpp"
#include <libration/text/error.hpp>

#include <pybind11/stl.h>

namespace libration::python {

namespace py = pybind11;

namespace {

// Row starts and columns of the nonzero entries of G, and the entries at every state: [state][entry].
py::tuple constraint_gradients(const Model& model, const py::object& t, const py::object& q) {
    const auto times = real_numbers(t), positions = real_numbers(q);
    if (times.shape().size() != 1 || positions.shape() != ArrayShape{times.shape()[0], signed_size(model.dimension)}) {
        throw InputError("gradients of constraints need one time and one q for each state");
    }
    SparsePattern pattern;
    ConstraintRows<double> rows(model, parameter_values<double>(model), pattern);
    const std::size_t states = times.values().size(), entries = pattern.entries();
    const auto gradients = std::make_shared<std::vector<double>>(states * entries);
    for (std::size_t k = 0; k < states; ++k) {
        rows.jacobian(times.values()[k], positions.values().subspan(k * model.dimension, model.dimension),
                      std::span(*gradients).subspan(k * entries, entries), {});
    }
    return py::make_tuple(pattern.row_start, pattern.column,
                          view(gradients->data(), {signed_size(states), signed_size(entries)}, gradients));
}

}  // namespace

void bind_constraint_gradients(py::module_& m) {
    m.def("constraint_gradients", &constraint_gradients, py::arg("model"), py::arg("t"), py::arg("q"),
          "Row starts, columns and entries [state][entry] of G at the states (t, q).");
}

}  // namespace libration::python
