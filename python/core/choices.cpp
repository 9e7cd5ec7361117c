// libration._core.choose_json, and the choices that runs and ensembles make first.
#include "choices.hpp"

#include "bindings.hpp"
#include "errors.hpp"
#include "patience.hpp"
#include "requests.hpp"

#include "request/study_request.hpp"
#include <libration/io/json.hpp>

namespace libration::python {

namespace py = pybind11;

void choose_patiently(const std::function<void()>& work, StopSignal& stop) {
    const auto interruptible = [&] {
        try {
            work();
        } catch (const ChoiceInterrupted&) {
            return;  // who asked for it knows
        }
    };
    if (work_patiently(interruptible, stop)) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw py::error_already_set();
    }
}

namespace {

std::string choose_json(const Model& model, const ChooseRequest& request) {
    StopSignal stop;
    ChooseOptions options;
    options.error = request.error;
    options.energy_error = request.energy_error;
    options.duration = request.duration;
    options.method = request.method;
    options.step = request.step;
    options.project = request.project;
    options.stop = &stop;
    Choice choice;
    choose_patiently([&] { choice = choose(model, options); }, stop);
    return told_in_python(json_of(choice));
}

}  // namespace

std::optional<ChosenSettings> complete_by_choice(const Model& model, RunRequest& request, double start_time) {
    if (!leaves_choice(model, request)) {
        return std::nullopt;
    }
    StopSignal stop;
    std::optional<ChosenSettings> chosen;
    choose_patiently(
        [&] { chosen = choose_for(model, request, {.stop = &stop, .progress = {}, .start_time = start_time}); }, stop);
    return chosen;
}

void bind_choices(py::module_& m) {
    m.def(
        "choose_json",
        [](const Model& model, const py::dict& options) {
            return choose_json(model, request_of<ChooseRequest>(options, choose_fields));
        },
        py::arg("model"), py::arg("options"));
}

}  // namespace libration::python
