// Errors of the library as Python exceptions, in the words of Python.
#include "errors.hpp"
#include "bindings.hpp"

#include <libration/text/error.hpp>

#include <pybind11/stl.h>

#include <filesystem>

namespace libration::python {

namespace py = pybind11;

void bind_errors(py::module_& m) {
    static PyObject* input_error = nullptr;
    static PyObject* file_error = nullptr;
    const auto make = [&m](const char* name, PyObject* base, const char* doc) {
        const auto full = std::string("libration.") + name;
        auto* type = PyErr_NewExceptionWithDoc(full.c_str(), doc, base, nullptr);
        m.add_object(name, py::reinterpret_borrow<py::object>(type));
        return type;
    };
    input_error = make("InputError", PyExc_ValueError, "A model, option, size or name that cannot be used.");
    file_error = make("FileError", PyExc_OSError, "A file that cannot be read or written.");
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            std::rethrow_exception(thrown);
        } catch (const InputError& error) {
            PyErr_SetString(input_error, python_words(error.what()).c_str());
        } catch (const FileError& error) {
            PyErr_SetString(file_error, python_words(error.what()).c_str());
        } catch (const std::filesystem::filesystem_error& error) {
            PyErr_SetString(file_error, (error.path1().string() + ": " + error.code().message()).c_str());
        }
    });
    m.def("python_words", py::overload_cast<const std::string&>(&python_words), py::arg("message"),
          "A message of the library with its options as arguments of Python.");
}

}  // namespace libration::python
