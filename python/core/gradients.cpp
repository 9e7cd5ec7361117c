// Gradients and Jacobians.
#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "patience.hpp"
#include "requests.hpp"

#include "gradient/gradient_record.hpp"
#include "gradient/measurement_table.hpp"
#include <libration/io/json.hpp>
#include <libration/text/error.hpp>

#include <pybind11/stl.h>

namespace libration::python {

namespace py = pybind11;

namespace {

// Columns by their names; None: the request names a file, or there is no table.
std::optional<Measurements> measurements_in(const py::object& table) {
    if (table.is_none()) {
        return std::nullopt;
    }
    std::vector<TableColumn> columns;
    for (const auto& [name, values] : table.cast<py::dict>()) {
        const auto numbers = real_numbers(py::reinterpret_borrow<py::object>(values));
        columns.push_back({name.cast<std::string>(), {numbers.values().begin(), numbers.values().end()}});
    }
    return measurements_of(columns);
}

// Ctrl-C ends it. Nothing: the time limit was over.
template <class Work>
auto worked(const Work& work) {
    StopSignal stop;
    decltype(work(stop)) result;
    if (work_patiently([&] { result = work(stop); }, stop)) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw py::error_already_set();
    }
    return result;
}

py::object numbers(std::vector<double>&& values, ArrayShape shape) {
    const auto owner = std::make_shared<std::vector<double>>(std::move(values));
    return view(owner->data(), shape, owner);
}

// The gradient as JSON, and the warnings of its run; None: the time limit was over.
py::object gradient_json(const Model& model, const py::dict& options, const py::object& table) {
    const auto request = request_of<GradientRequest>(options, gradient_fields());
    const auto data = measurements_in(table);
    const auto result = worked([&](StopSignal& stop) { return gradient_of(model, request, stop, data); });
    if (!result) {
        return py::none();
    }
    return py::make_tuple(json_of(*result, true), result->warnings);
}

py::dict jacobian_dict(Jacobian result) {
    py::dict all;
    const auto rows = signed_size(result.values.size()), unknowns = signed_size(result.by.size());
    all["model"] = result.model;
    all["method"] = result.method;
    all["step"] = result.step;
    all["adaptive"] = result.adaptive;
    all["steps"] = result.steps;
    all["names"] = result.by;
    all["column"] = result.column;
    all["mode"] = to_string(result.mode);
    all["why_forward"] = result.why_forward.empty() ? py::object(py::none()) : py::str(result.why_forward);
    all["tangent_growth"] = result.tangent_growth;
    all["digits"] = result.digits;
    all["seconds"] = result.seconds;
    all["run_seconds"] = result.run_seconds;
    if (result.failure) {
        all["failure"] = py::make_tuple(result.failure->step, result.failure->t, result.failure->message);
        return all;
    }
    all["t"] = numbers(std::move(result.t), {rows});
    all["measured"] = numbers(std::move(result.measured), {rows});
    all["sd"] = numbers(std::move(result.sd), {rows});
    all["values"] = numbers(std::move(result.values), {rows});
    all["matrix"] = numbers(std::move(result.matrix), {rows, unknowns});
    return all;
}

py::object jacobian_arrays(const Model& model, const py::dict& options, const py::object& table) {
    const auto request = request_of<GradientRequest>(options, gradient_fields());
    const auto data = measurements_in(table);
    auto result = worked([&](StopSignal& stop) { return jacobian_of(model, request, stop, data); });
    if (!result) {
        return py::none();
    }
    const auto warnings = result->warnings;
    return py::make_tuple(jacobian_dict(*std::move(result)), warnings);
}

// A file of measurements as columns: t, then values and standard deviations of each quantity.
py::dict measured_columns(const std::string& path) {
    py::dict columns;
    auto data = read_measurements(path);
    const auto rows = signed_size(data.t.size());
    columns["t"] = numbers(std::move(data.t), {rows});
    for (auto& [formula, values, sd] : data.columns) {
        columns[py::str(formula)] = numbers(std::move(values), {rows});
        if (!sd.empty()) {
            columns[py::str("sd_" + formula)] = numbers(std::move(sd), {rows});
        }
    }
    return columns;
}

}  // namespace

void bind_gradients(py::module_& m) {
    m.def("gradient_json", &gradient_json, py::arg("model"), py::arg("options"), py::arg("table"));
    m.def("jacobian", &jacobian_arrays, py::arg("model"), py::arg("options"), py::arg("table"));
    m.def("read_measurements", &measured_columns, py::arg("path"));
}

}  // namespace libration::python
