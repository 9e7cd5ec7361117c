// Values of options, with their names in what is said about wrong ones.
#pragma once

#include "text/shorten.hpp"
#include <libration/text/error.hpp>

#include <pybind11/stl.h>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

namespace libration::python {

[[noreturn]] inline void refuse_argument(const pybind11::handle& value, const char* name, const char* wanted) {
    throw InputError(fmt::format("{}={}: it must be {}", name,
                                 shortened(std::string(pybind11::str(pybind11::repr(value)))), wanted));
}

// 1e6 is a whole number, too.
inline std::int64_t whole_argument(const pybind11::handle& value, const char* name) {
    constexpr double most = 9223372036854775808.0;
    if (pybind11::isinstance<pybind11::float_>(value)) {
        const auto number = value.cast<double>();
        if (number == std::floor(number) && std::abs(number) < most) {
            return static_cast<std::int64_t>(number);
        }
        refuse_argument(value, name, std::abs(number) >= most ? "below 2^63" : "an integer");
    }
    const auto index = pybind11::reinterpret_steal<pybind11::object>(PyNumber_Index(value.ptr()));
    if (!index) {
        PyErr_Clear();
        refuse_argument(value, name, "an integer");
    }
    int overflow = 0;
    const auto number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    if (overflow != 0) {
        refuse_argument(value, name, "an integer below 2^63");
    }
    return number;
}

template <class Value>
Value argument(const pybind11::handle& value, const char* name) {
    if constexpr (std::is_same_v<Value, std::int64_t>) {
        return whole_argument(value, name);
    } else {
        try {
            return value.cast<Value>();
        } catch (const pybind11::cast_error&) {
            PyErr_Clear();
            refuse_argument(value, name,
                            std::is_same_v<Value, double>        ? "a number"
                            : std::is_same_v<Value, bool>        ? "True or False"
                            : std::is_same_v<Value, std::string> ? "a text"
                                                                 : "of another kind");
        }
    }
}

}  // namespace libration::python
