// What else is to be known of a model: its initial values, and its text without the values of model.set.
#include "arrays.hpp"
#include "bindings.hpp"

#include "model/model_values.hpp"
#include "model/set_section.hpp"
#include <libration/model/model.hpp>

#include <pybind11/stl.h>

#include <algorithm>

namespace libration::python {

namespace py = pybind11;

namespace {

// q, and what the model gives beside it: momenta, velocities, or both where coordinates differ in that. A model at rest
// has velocities zero.
py::dict initial_values(const Model& model) {
    const auto state = initial_state<double>(model);
    const bool momenta = std::ranges::find(state.has_momentum, true) != state.has_momentum.end();
    const bool velocities = std::ranges::any_of(
        model.initial, [](const InitialValue& block) { return block.kind == InitialValue::Kind::velocity; });
    py::dict values;
    values["q"] = copied_array(state.q);
    if (momenta) {
        values["p"] = copied_array(state.momentum);
    }
    if (velocities || (!momenta && !(model.field && model.field->v.empty()))) {
        values[model.hamiltonian && !velocities ? "p" : "v"] = copied_array(state.velocity);
    }
    return values;
}

}  // namespace

void bind_model_texts(py::module_& m) {
    m.def("initial_values", &initial_values, py::arg("model"), "q with p or v at the start, as the model gives them.");
    m.def("without_set_section", &without_set_section, py::arg("text"), "A model text without its section [set].");
}

}  // namespace libration::python
