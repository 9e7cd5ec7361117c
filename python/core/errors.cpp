// Errors of the library as Python exceptions, in the words of Python.
#include "errors.hpp"
#include "bindings.hpp"
#include "language.hpp"

#include <libration/text/error.hpp>

#include <pybind11/stl.h>

#include <filesystem>

namespace libration::python {

namespace py = pybind11;

namespace {

// An exception with what the library knows of the mistake.
void raise_input_error(PyObject* type, const InputError& error) {
    const auto& mistake = error.mistake();
    py::object raised = py::reinterpret_borrow<py::object>(type)(told_in_python(error.what()));
    raised.attr("neutral") = std::string(error.what());
    raised.attr("argument") = mistake.argument.empty() ? py::object(py::none()) : py::str(mistake.argument);
    raised.attr("problem") = told_in_python(mistake.problem);
    raised.attr("remedy") = mistake.remedy.empty() ? py::object(py::none()) : py::str(told_in_python(mistake.remedy));
    raised.attr("line") = mistake.place.line == 0 ? py::object(py::none()) : py::int_(mistake.place.line);
    PyErr_SetObject(type, raised.ptr());
}

}  // namespace

std::string told_in_python(const std::string& message, bool written) { return told(message, Python(written)); }

void bind_errors(py::module_& m) {
    static PyObject* input_error = nullptr;
    static PyObject* file_error = nullptr;
    const auto make = [&m](const char* name, PyObject* base, const char* doc) {
        const auto full = std::string("libration.") + name;
        auto* type = PyErr_NewExceptionWithDoc(full.c_str(), doc, base, nullptr);
        m.add_object(name, py::reinterpret_borrow<py::object>(type));
        return type;
    };
    input_error =
        make("InputError", PyExc_ValueError,
             "An invalid model, option, size or name.\n\n"
             "Errors of the library have the `argument` with its neutral name (\"step\", \"[run] step\"), the "
             "`problem`, the `remedy` and the `line` of a text; each may be None.");
    file_error = make("FileError", PyExc_OSError, "A file that cannot be read or written.");
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            std::rethrow_exception(thrown);
        } catch (const InputError& error) {
            raise_input_error(input_error, error);
        } catch (const FileError& error) {
            PyErr_SetString(file_error, told_in_python(error.what()).c_str());
        } catch (const std::filesystem::filesystem_error& error) {
            PyErr_SetString(file_error, (error.path1().string() + ": " + error.code().message()).c_str());
        }
    });
    m.def("told", &told_in_python, py::arg("message"), py::arg("written") = false,
          "A message of the library in terms of Python; written: about a model created with lb.Model.");
}

}  // namespace libration::python
