// numpy as an ordinary module of Python.
#include "arrays.hpp"

#include "bindings.hpp"

#include <pybind11/stl.h>

#include <fmt/format.h>

namespace libration::python {

namespace py = pybind11;

namespace {

// Kept for the life of the process: modules are not unloaded.
struct NumpyFunctions {
    py::handle asarray, frombuffer, dtype;  // of doubles
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

// Callbacks get several of these per step: an object of Python as the owner is three times quicker than a Memory.
py::object copied_array(std::span<const double> values, Access access) {
    if (values.empty()) {
        return array_of({.shape = {0}, .strides = {sizeof(double)}, .access = access});
    }
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    const auto size = signed_size(values.size_bytes());
    const auto owner =
        py::reinterpret_steal<py::object>(access == Access::writable ? PyByteArray_FromStringAndSize(bytes, size)
                                                                     : PyBytes_FromStringAndSize(bytes, size));
    if (!owner) {
        throw py::error_already_set();
    }
    return numpy.frombuffer(owner, numpy.dtype);
}

GivenNumbers::GivenNumbers(const py::object& given, std::string_view kinds) {
    auto array = numpy.asarray(given);
    const py::object dtype = array.attr("dtype");
    if (!dtype.is(numpy.dtype)) {
        kind_ = dtype.attr("kind").cast<char>();
        accepted_ = kinds.find(kind_) != std::string_view::npos;
        if (!accepted_) {
            return;
        }
        array = numpy.asarray(array, numpy.dtype);
    }
    buffer_ = py::buffer(array).request();
    if (buffer_.strides != row_strides(buffer_.shape, sizeof(double))) {
        buffer_ = py::buffer(numpy.asarray(array, py::arg("order") = "C")).request();
    }
}

GivenNumbers real_numbers(const py::object& given) {
    GivenNumbers numbers(given);
    if (!numbers.accepted()) {
        throw py::type_error(
            fmt::format("an array of real numbers is needed, not one of numpy kind '{}'", numbers.kind()));
    }
    return numbers;
}

std::span<const double> GivenNumbers::values() const {
    return {static_cast<const double*>(buffer_.ptr), static_cast<std::size_t>(buffer_.size)};
}

void bind_arrays(py::module_& m) {
    const auto module = py::module_::import("numpy");
    const auto keep = [](const py::object& object) { return py::object(object).release(); };
    numpy = {keep(module.attr("asarray")), keep(module.attr("frombuffer")), keep(module.attr("dtype")("d"))};
    py::class_<Memory> type(m, "Memory", py::buffer_protocol(), "Memory of the library, which numpy arrays refer to.");
    type.def_buffer(&buffer_of);
    only_from_functions(type);
}

}  // namespace libration::python
