// libration._core.Model: a model, and what is to be known of it.
#include "bindings.hpp"
#include "external.hpp"
#include "gil.hpp"

#include "analysis/check_facts.hpp"
#include "analysis/json.hpp"
#include "model/model_values.hpp"
#include "request/run_fields.hpp"
#include "request/study_request.hpp"
#include "requests.hpp"
#include <libration/model/to_text.hpp>

#include <pybind11/stl.h>

namespace libration::python {

namespace py = pybind11;

namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;
using SharedModel = std::shared_ptr<Model>;

SharedModel load(const std::string& name_or_path, const Overrides& overrides) {
    const ReleasedGil released;
    return std::make_shared<Model>(Model::load(name_or_path, overrides));
}

SharedModel parse_model(const std::string& text, const std::string& source_name, const Overrides& overrides,
                        const py::object& external) {
    auto functions = functions_of(external);
    const ReleasedGil released;
    return std::make_shared<Model>(Model::parse(text, source_name, overrides, std::move(functions)));
}

SharedModel varied(const Model& model, const Overrides& values) {
    const ReleasedGil released;
    return std::make_shared<Model>(model.with(values));
}

std::vector<std::string> coordinates(const Model& model) {
    std::vector<std::string> names;
    names.reserve(model.dimension);
    for (std::size_t k = 0; k < model.dimension; ++k) {
        names.push_back(model.coordinate_name(k));
    }
    return names;
}

std::vector<std::string> multipliers(const Model& model) {
    std::vector<std::string> names;
    for (const auto& symbol : model.multiplier_symbols()) {
        names.push_back(symbol.text());
    }
    return names;
}

// A number, a list of numbers, or the text of a formula in the index i.
py::list parameters(const Model& model) {
    const auto given = parameter_values<double>(model);
    py::list all;
    for (const auto& parameter : model.parameters) {
        py::object value;
        if (parameter.function_of_index) {
            value = py::str(to_string(*parameter.function_of_index));
        } else if (parameter.list) {
            value = py::cast(given.lists.at(parameter.name));
        } else {
            const auto at = std::ranges::find(given.symbols, symbol(parameter.name)) - given.symbols.begin();
            value = py::float_(given.values[static_cast<std::size_t>(at)]);
        }
        all.append(py::make_tuple(parameter.name, value));
    }
    return all;
}

py::list observables(const Model& model) {
    py::list all;
    for (const auto& observable : model.observables) {
        all.append(py::make_tuple(observable.name, observable.invariant));
    }
    return all;
}

// Those that count turns.
std::vector<std::string> angles(const Model& model) {
    std::vector<std::string> names;
    for (const auto& winding : model.windings) {
        names.push_back(winding.name);
    }
    return names;
}

py::list events(const Model& model) {
    py::list all;
    for (const auto& event : model.events) {
        all.append(event.name);
    }
    return all;
}

py::dict run_defaults(const Model& model) {
    py::dict given;
    for (const auto& field : run_fields) {
        if (field.for_use(use::run_section) && is_given(model.run, field)) {
            std::visit([&](auto member) { given[py::str(std::string(field.name))] = py::cast(model.run.*member); },
                       field.member);
        }
    }
    return given;
}

py::list points(const Model& model) {
    py::list all;
    for (const auto& group : model.points) {
        all.append(py::make_tuple(group.name, group.count, group.dimension, group.first));
    }
    return all;
}

py::list bodies(const Model& model) {
    py::list all;
    for (const auto& body : model.bodies) {
        all.append(py::make_tuple(body.name, body.first, body.centre, body.columns));
    }
    return all;
}

}  // namespace

void bind_models(py::module_& m) {
    py::class_<Model, SharedModel> type(m, "Model", "A model with its text.");
    only_from_functions(type);
    type.def_static("load", &load, py::arg("name_or_path"), py::arg("overrides") = Overrides{})
        .def_static("parse", &parse_model, py::arg("text"), py::arg("source_name"), py::arg("overrides") = Overrides{},
                    py::arg("external") = py::none())
        .def("varied", &varied, py::arg("values"))
        .def_readonly("name", &Model::name)
        .def_readonly("description", &Model::description)
        .def_readonly("source", &Model::source)
        .def_readonly("text", &Model::text)
        .def_readonly("overrides", &Model::overrides)
        .def_readonly("dimension", &Model::dimension)
        .def_property_readonly("coordinates", &coordinates)
        .def_property_readonly("multipliers", &multipliers)
        .def_property_readonly("parameters", &parameters)
        .def_property_readonly("observables", &observables)
        .def_property_readonly("angles", &angles)
        .def_property_readonly("events", &events)
        .def_property_readonly("run_defaults", &run_defaults)
        .def_property_readonly("points", &points)
        .def_property_readonly("bodies", &bodies)
        .def("to_text", &to_text,
             "The text of a model file, overrides under [set]; empty if the model cannot be written as text.")
        .def("latex_equations", &latex_equations, py::call_guard<ReleasedGil>())
        .def(
            "check",
            [](const Model& model, const py::dict& options) {
                const auto asked = request_of<CheckRequest>(options, model_check_fields);
                const ReleasedGil released;
                const auto found = check(model, {.project = asked.project});
                return std::pair(json_of(found), check_facts(found, model));
            },
            py::arg("options"), "The JSON of `libration check` and its lines, a label and a text each.")
        .def(
            "check_json", [](const Model& model) { return json_of(check(model)); }, py::call_guard<ReleasedGil>());
}

}  // namespace libration::python
