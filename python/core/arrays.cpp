// numpy as an ordinary module of Python.
#include "arrays.hpp"

#include "bindings.hpp"

#include <pybind11/stl.h>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace libration::python {

namespace py = pybind11;

namespace {

// Kept for the life of the process: modules are not unloaded.
struct NumpyFunctions {
    py::handle asarray, float64;
} numpy;

py::buffer_info buffer_of(const Memory& memory) {
    // The library never writes through a pointer that it gave away as read-only, and Python is told not to.
    return {const_cast<void*>(memory.first),
            memory.item_bytes,
            memory.format,
            static_cast<py::ssize_t>(memory.shape.size()),
            memory.shape,
            memory.strides,
            memory.access == Access::read_only};
}

}  // namespace

ArrayShape row_strides(const ArrayShape& shape, py::ssize_t item_bytes) {
    ArrayShape strides(shape.size(), item_bytes);
    for (std::size_t k = shape.size(); k-- > 1;) {
        strides[k - 1] = strides[k] * shape[k];
    }
    return strides;
}

py::object array_of(Memory memory) {
    static constexpr double nowhere = 0;
    if (memory.first == nullptr) {
        memory.first = &nowhere;  // an empty array; without an address numpy would allocate one of its own
    }
    return numpy.asarray(py::cast(std::move(memory)));
}

py::object copied_array(std::span<const double> values, Access access) {
    const auto copy = std::make_shared<std::vector<double>>(values.begin(), values.end());
    const ArrayShape shape{signed_size(values.size())};
    return array_of({.first = copy->data(),
                     .shape = shape,
                     .strides = row_strides(shape, sizeof(double)),
                     .access = access,
                     .owner = copy});
}

py::object as_array(const py::object& object) { return numpy.asarray(object); }

char kind_of(const py::object& array) { return array.attr("dtype").attr("kind").cast<char>(); }

ArrayShape shape_of(const py::object& array) { return array.attr("shape").cast<ArrayShape>(); }

GivenNumbers::GivenNumbers(const py::object& given) {
    const auto array = as_array(given);
    // Objects may be numbers, such as fractions; numpy asks each of them for its value.
    if (const char kind = kind_of(array); std::string_view("fiubO").find(kind) == std::string_view::npos) {
        throw py::type_error(fmt::format("an array of real numbers is needed, not one of numpy kind '{}'", kind));
    }
    const auto numbers = numpy.asarray(array, numpy.float64, py::arg("order") = "C");
    buffer_ = py::buffer(numbers).request();
}

std::span<const double> GivenNumbers::values() const {
    return {static_cast<const double*>(buffer_.ptr), static_cast<std::size_t>(buffer_.size)};
}

void bind_arrays(py::module_& m) {
    const auto module = py::module_::import("numpy");
    numpy = {py::object(module.attr("asarray")).release(), py::object(module.attr("float64")).release()};
    py::class_<Memory> type(m, "Memory", py::buffer_protocol(), "Memory of the library, which numpy arrays refer to.");
    type.def_buffer(&buffer_of);
    only_from_functions(type);
}

}  // namespace libration::python
