// Numbers of the library as numpy arrays, and arrays of numpy as numbers. They cross over by Python's buffer protocol:
// nothing is compiled against numpy, so that one binary works with numpy 1 and numpy 2 (decision 42).
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace libration::python {

using ArrayShape = std::vector<pybind11::ssize_t>;

inline pybind11::ssize_t signed_size(std::size_t size) { return static_cast<pybind11::ssize_t>(size); }

enum class Access { read_only, writable };

// Memory that Python sees through a buffer. The owner stays alive as long as an array, or a view of one, refers to it.
struct Memory {
    const void* first = nullptr;
    const char* format = "d";  // a letter of Python's module `struct`, in native sizes
    pybind11::ssize_t item_bytes = sizeof(double);
    ArrayShape shape, strides;  // strides in bytes
    Access access = Access::read_only;
    std::shared_ptr<const void> owner;
};

// A numpy array of this memory; nothing is copied.
pybind11::object array_of(Memory memory);

// The strides of rows behind each other.
ArrayShape row_strides(const ArrayShape& shape, pybind11::ssize_t item_bytes);

// 'l' and 'L' and not 'q' and 'Q': of two types of the same size numpy calls the first int64.
template <class Number>
constexpr const char* format_of = nullptr;
template <>
inline constexpr const char* format_of<double> = "d";
template <>
inline constexpr const char* format_of<bool> = "?";
template <>
inline constexpr const char* format_of<int> = "i";
template <>
inline constexpr const char* format_of<long> = "l";
template <>
inline constexpr const char* format_of<unsigned long> = "L";
static_assert(sizeof(long) == sizeof(std::int64_t) && sizeof(std::size_t) == sizeof(unsigned long));

// A read-only view of numbers that the owner holds.
template <class Number>
pybind11::object view(const Number* first, ArrayShape shape, ArrayShape strides, std::shared_ptr<const void> owner) {
    static_assert(format_of<Number> != nullptr);
    return array_of({.first = first,
                     .format = format_of<Number>,
                     .item_bytes = sizeof(Number),
                     .shape = std::move(shape),
                     .strides = std::move(strides),
                     .owner = std::move(owner)});
}

// The same of rows behind each other.
template <class Number>
pybind11::object view(const Number* first, const ArrayShape& shape, std::shared_ptr<const void> owner) {
    return view(first, shape, row_strides(shape, sizeof(Number)), std::move(owner));
}

// An array with one dimension that has its numbers to itself.
pybind11::object copied_array(std::span<const double> values, Access access = Access::writable);

// The real numbers of an array, a list or a number of Python, converted to double by numpy where they are something
// else, row by row in one piece. Made, used and destroyed with the GIL.
class GivenNumbers {
  public:
    // `kinds`: numpy's letters for what is accepted. Objects (O) may be numbers, such as fractions, or raise an error.
    explicit GivenNumbers(const pybind11::object& given, std::string_view kinds = "fiubO");

    // If not, nothing but the letter of what was given is known.
    [[nodiscard]] bool accepted() const { return accepted_; }
    [[nodiscard]] char kind() const { return kind_; }
    [[nodiscard]] const ArrayShape& shape() const { return buffer_.shape; }
    [[nodiscard]] std::span<const double> values() const;

  private:
    char kind_ = 'f';
    bool accepted_ = true;
    pybind11::buffer_info buffer_;
};

// TypeError if these are not real numbers.
GivenNumbers real_numbers(const pybind11::object& given);

}  // namespace libration::python
