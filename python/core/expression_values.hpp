// Between Python's numbers and expressions.
#pragma once

#include <libration/expression/expression.hpp>

#include <pybind11/pybind11.h>

#include <optional>

namespace libration::python {

// Before all else, once: imports under a lock of C++ can wait for each other.
void find_number_types();

// An Expression, or a number with its exact value: int, bool, Fraction, Decimal, numpy scalar; a float is the shortest
// decimal that reads back to it. Nothing for all else; numbers that are not finite are an InputError.
std::optional<Expression> as_expression(pybind11::handle object);
// The same; all else is a TypeError that names `what`.
Expression to_expression(pybind11::handle object, const char* what);
// Of a list, a tuple, an array or any other iterable.
std::vector<Expression> to_expressions(pybind11::handle objects, const char* what);

// The nodes of an expression as plain tuples, and the expression of such tuples: the same to the last node, in a size
// that is linear in the number of nodes.
pybind11::tuple flat_nodes(const Expression& expression);
Expression from_flat_nodes(const pybind11::tuple& nodes);

// Values in double precision; `values`: symbols or their names -> float.
std::vector<double> evaluate(std::span<const Expression> expressions, const pybind11::dict& values);
// Of an expression without symbols; nothing if it has some.
std::optional<double> number(const Expression& expression);

}  // namespace libration::python
