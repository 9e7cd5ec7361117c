#include "expression_values.hpp"

#include "expression/table_handle.hpp"
#include "expression/tape.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <pybind11/stl.h>

#include <cmath>
#include <unordered_map>

namespace libration::python {

namespace py = pybind11;

namespace {

// Kept for the life of the process: modules are not unloaded.
struct NumberTypes {
    py::handle numpy, fraction, decimal;
} types;

std::string type_name(py::handle object) { return py::str(py::type::of(object).attr("__name__")); }

// A sign outside of the constant: text has none, and what is printed must read back to the same node.
Expression signed_constant(const std::string& text) {
    return text.starts_with('-') ? -constant(text.substr(1)) : constant(text);
}

Expression from_int(py::handle object) {
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
    if (!number) {
        throw py::error_already_set();
    }
    // Also keeps away from Python's own limit on the digits of an int.
    if (number.attr("bit_length")().cast<std::size_t>() > 1023) {
        throw InputError("an integer of more than 1023 bits is outside the range of double precision");
    }
    return signed_constant(py::str(number));
}

Expression from_float(double value) {
    if (!std::isfinite(value)) {
        throw InputError(fmt::format("{} is not a number that an expression can contain", value));
    }
    return std::signbit(value) ? -Expression(-value) : Expression(value);
}

Expression from_decimal(py::handle object) {
    if (!object.attr("is_finite")().cast<bool>()) {
        throw InputError(
            fmt::format("{} is not a number that an expression can contain", std::string(py::str(object))));
    }
    return signed_constant(py::str(object));
}

std::optional<Expression> from_numpy(py::handle object) {
    const auto kind = object.attr("dtype").attr("kind").cast<std::string>();
    if (kind == "i" || kind == "u") {
        return from_int(object);
    }
    if (kind == "f" || kind == "b") {
        return from_float(py::float_(py::reinterpret_borrow<py::object>(object)));
    }
    return std::nullopt;
}

std::vector<Op> all_ops() {
    std::vector<Op> ops;
    for (int k = 0; k <= static_cast<int>(Op::interp); ++k) {
        ops.push_back(static_cast<Op>(k));
    }
    return ops;
}

// "-" is the name of two operations, so the number of arguments belongs to it.
Op op_named(const std::string& wanted, std::size_t arguments) {
    static const auto ops = all_ops();
    for (const Op op : ops) {
        if (name(op) == wanted && static_cast<std::size_t>(arity(op)) == arguments) {
            return op;
        }
    }
    throw InputError(fmt::format("no operation '{}' with {} arguments is known", wanted, arguments));
}

}  // namespace

void find_number_types() {
    const auto type = [](const char* module, const char* name) {
        return py::object(py::module_::import(module).attr(name)).release();
    };
    types = {type("numpy", "generic"), type("fractions", "Fraction"), type("decimal", "Decimal")};
}

std::optional<Expression> as_expression(py::handle object) {
    if (py::isinstance<Expression>(object)) {
        return object.cast<Expression>();
    }
    if (PyLong_Check(object.ptr()) != 0) {
        return from_int(object);
    }
    if (PyFloat_Check(object.ptr()) != 0) {
        return from_float(PyFloat_AS_DOUBLE(object.ptr()));
    }
    if (py::isinstance(object, types.numpy)) {
        return from_numpy(object);
    }
    if (py::isinstance(object, types.fraction)) {
        return from_int(object.attr("numerator")) / from_int(object.attr("denominator"));
    }
    return py::isinstance(object, types.decimal) ? std::optional(from_decimal(object)) : std::nullopt;
}

Expression to_expression(py::handle object, const char* what) {
    if (auto expression = as_expression(object)) {
        return *std::move(expression);
    }
    throw py::type_error(
        fmt::format("{} must be an expression or a number, not an object of type {}", what, type_name(object)));
}

std::vector<Expression> to_expressions(py::handle objects, const char* what) {
    std::vector<Expression> all;
    for (const auto object : py::iter(objects)) {
        all.push_back(to_expression(object, what));
    }
    return all;
}

py::tuple flat_nodes(const Expression& expression) {
    const auto nodes = sorted_nodes(std::array{expression});
    std::unordered_map<Expression, std::size_t> number;
    py::tuple flat(nodes.size());
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const auto& node = nodes[k];
        py::tuple arguments(node.arguments().size());
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            arguments[i] = number.at(node.arguments()[i]);
        }
        // Values of tables stay with the model; what is stored knows a table by its name.
        const auto stored = is_table(node) ? unknown_table(table_name(node)) : node;
        flat[k] = py::make_tuple(std::string(name(stored.op())), stored.text(), arguments);
        number.emplace(node, k);
    }
    return flat;
}

Expression from_flat_nodes(const py::tuple& nodes) try {
    std::vector<Expression> made;
    for (const auto item : nodes) {
        const auto [op, text, numbers] = item.cast<std::tuple<std::string, std::string, std::vector<std::size_t>>>();
        std::vector<Expression> arguments;
        for (const auto number : numbers) {
            arguments.push_back(made.at(number));
        }
        switch (const Op known = op_named(op, arguments.size())) {
            case Op::constant: made.push_back(constant(text)); break;
            case Op::symbol: made.push_back(symbol(text)); break;
            default: made.push_back(verbatim(known, arguments));
        }
    }
    return made.at(made.size() - 1);
} catch (const py::cast_error&) {
    throw py::type_error("a stored expression is a tuple of tuples (operation, text, numbers of the arguments)");
} catch (const std::out_of_range&) {
    throw InputError("a stored expression is empty or uses a node before it is defined; the data are damaged");
}

std::vector<double> evaluate(std::span<const Expression> expressions, const py::dict& values) {
    std::vector<Expression> inputs;
    std::vector<double> numbers;
    for (const auto& [key, value] : values) {
        auto input = py::isinstance<py::str>(key) ? symbol(key.cast<std::string>()) : to_expression(key, "a symbol");
        if (!input.is(Op::symbol)) {
            throw InputError(fmt::format("'{}' is not a symbol and cannot be given a value", to_string(input)));
        }
        const double number = PyFloat_AsDouble(value.ptr());
        if (number == -1.0 && PyErr_Occurred() != nullptr) {
            throw py::error_already_set();
        }
        inputs.push_back(std::move(input));
        numbers.push_back(number);
    }
    Tape<double> tape(compile(expressions, inputs), {});
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        tape.input(k) = numbers[k];
    }
    tape.run();
    std::vector<double> results;
    for (std::size_t k = 0; k < tape.outputs(); ++k) {
        results.push_back(tape.output(k));
    }
    return results;
}

std::optional<double> number(const Expression& expression) {
    if (!symbols_of(std::array{expression}).empty()) {
        return std::nullopt;
    }
    return evaluate(std::array{expression}, {}).front();
}

}  // namespace libration::python
