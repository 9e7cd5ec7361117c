// Expressions as Python objects: operators with numbers on either side, and the methods that numpy calls on elements.
#include "bindings.hpp"
#include "expression_values.hpp"

#include "expression/functions.hpp"
#include "expression/shared_text.hpp"
#include "expression/table_handle.hpp"
#include "model/table_file.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/expression/latex.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <pybind11/stl.h>

namespace libration::python {

namespace py = pybind11;

namespace {

using Class = py::class_<Expression>;

py::object not_implemented() { return py::reinterpret_borrow<py::object>(Py_NotImplemented); }

// For messages: an expression may be long.
std::string shown(const Expression& e) {
    return text_length(e) > 200 ? fmt::format("of {} operations", sorted_nodes(std::array{e}).size())
                                : fmt::format("'{}'", to_string(e));
}

// `a op b` and, with `reflected` in the class, `b op a`. Foreign operands are left to their own type, so that arrays on
// either side work element by element.
template <class F>
void binary(Class& c, const char* name, const char* reflected, F f) {
    c.def(name, [f](const Expression& a, const py::object& b) -> py::object {
        const auto other = as_expression(b);
        return other ? py::cast(f(a, *other)) : not_implemented();
    });
    if (reflected != nullptr) {
        c.def(reflected, [f](const Expression& a, const py::object& b) -> py::object {
            const auto other = as_expression(b);
            return other ? py::cast(f(*other, a)) : not_implemented();
        });
    }
}

Expression apply(Op op, const Expression& a) { return operation(op, std::array{a}); }
Expression apply(Op op, const Expression& a, const Expression& b) { return operation(op, std::array{a, b}); }
Expression floor_quotient(const Expression& a, const Expression& b) { return floor(a / b); }
Expression ceiling(const Expression& a) { return -floor(-a); }

void bind_operators(Class& c) {
    using E = Expression;
    binary(c, "__add__", "__radd__", [](const E& a, const E& b) { return a + b; });
    binary(c, "__sub__", "__rsub__", [](const E& a, const E& b) { return a - b; });
    binary(c, "__mul__", "__rmul__", [](const E& a, const E& b) { return a * b; });
    binary(c, "__truediv__", "__rtruediv__", [](const E& a, const E& b) { return a / b; });
    binary(c, "__floordiv__", "__rfloordiv__", floor_quotient);
    binary(c, "__mod__", "__rmod__", mod);
    binary(c, "__divmod__", "__rdivmod__",
           [](const E& a, const E& b) { return std::pair(floor_quotient(a, b), mod(a, b)); });
    binary(c, "__and__", "__rand__", [](const E& a, const E& b) { return apply(Op::logical_and, a, b); });
    binary(c, "__or__", "__ror__", [](const E& a, const E& b) { return apply(Op::logical_or, a, b); });
    binary(c, "__xor__", "__rxor__", [](const E&, const E&) -> E {
        throw py::type_error("'^' has no meaning for expressions; powers are written with '**' in Python");
    });
    // Python turns a > b around by itself.
    binary(c, "__lt__", nullptr, [](const E& a, const E& b) { return less(a, b); });
    binary(c, "__le__", nullptr, [](const E& a, const E& b) { return less_equal(a, b); });
    binary(c, "__gt__", nullptr, [](const E& a, const E& b) { return less(b, a); });
    binary(c, "__ge__", nullptr, [](const E& a, const E& b) { return less_equal(b, a); });
    // A number that no expression can be is equal to none: `x in [inf]` is False.
    const auto equal = [](const E& a, const py::object& b) -> std::optional<bool> {
        try {
            const auto other = as_expression(b);
            return other ? std::optional(a == *other) : std::nullopt;
        } catch (const InputError&) {
            return false;
        }
    };
    c.def("__eq__", [equal](const E& a, const py::object& b) -> py::object {
        const auto same = equal(a, b);
        return same ? py::bool_(*same) : not_implemented();
    });
    c.def("__ne__", [equal](const E& a, const py::object& b) -> py::object {
        const auto same = equal(a, b);
        return same ? py::bool_(!*same) : not_implemented();
    });
    const auto power = [](const E& a, const py::object& b, const py::object& modulus, bool reflected) -> py::object {
        if (!modulus.is_none()) {
            throw py::type_error("pow() of expressions takes no modulus");
        }
        const auto other = as_expression(b);
        return !other ? not_implemented() : py::cast(reflected ? pow(*other, a) : pow(a, *other));
    };
    c.def(
        "__pow__",
        [power](const E& a, const py::object& b, const py::object& modulus) { return power(a, b, modulus, false); },
        py::arg("exponent"), py::arg("modulus") = py::none());
    c.def(
        "__rpow__",
        [power](const E& a, const py::object& b, const py::object& modulus) { return power(a, b, modulus, true); },
        py::arg("base"), py::arg("modulus") = py::none());
    c.def("__neg__", [](const E& a) { return -a; });
    c.def("__pos__", [](const E& a) { return a; });
    c.def("__abs__", [](const E& a) { return abs(a); });
    c.def("__invert__", [](const E& a) { return apply(Op::logical_not, a); });
    c.def("__floor__", [](const E& a) { return floor(a); });
    c.def("__ceil__", ceiling);
    c.def("__trunc__", [](const E& a) { return if_(less(a, 0), ceiling(a), floor(a)); });
}

void bind_conversions(Class& c) {
    c.def("__bool__", [](const Expression& e) {
        if (e.is(Op::constant)) {
            return *number(e) != 0;
        }
        throw py::type_error(fmt::format(
            "the expression {} has no truth value before a run: write lb.where(condition, a, b) instead of `if`,"
            " (a < b) & (b < c) instead of `a < b < c` or `and`, and lb.min, lb.max, lb.sign instead of min, "
            "max,"
            " np.minimum, np.maximum, np.sign",
            shown(e)));
    });
    c.def("__float__", [](const Expression& e) {
        if (const auto value = number(e)) {
            return *value;
        }
        throw py::type_error(fmt::format(
            "the symbolic expression {} has no value before a run, so it cannot become a float: use the functions of"
            " this package or of numpy on arrays of expressions (lb.sin, lb.norm, np.sin, ...) instead of "
            "math.sin and"
            " np.linalg, e.evaluate(x=1.0) for a value, and lb.external(...) for code that needs numbers",
            shown(e)));
    });
    c.def("__hash__", [](const Expression& e) -> py::ssize_t {
        // Expression(2) == 2, so both must have one hash.
        return e.is(Op::constant) ? py::hash(py::float_(*number(e))) : static_cast<py::ssize_t>(e.serial() >> 1U);
    });
    c.def("__str__", [](const Expression& e) { return to_string(e); });
    c.def("__repr__", [](const Expression& e) {
        return text_length(e) > 10'000
                   ? fmt::format("<expression of {} operations>", sorted_nodes(std::array{e}).size())
                   : to_string(e);
    });
    c.def("_repr_latex_", [](const Expression& e) { return '$' + to_latex(e) + '$'; });
    c.def("__reduce__", [](const py::object& self) {
        return py::make_tuple(py::type::of(self), py::make_tuple(flat_nodes(self.cast<Expression>())));
    });
    c.def("__copy__", [](const py::object& self) { return self; });
    c.def("__deepcopy__", [](const py::object& self, const py::object&) { return self; });
}

// The names that numpy uses for its functions: those of the list where they are the same, and these.
void bind_numpy_methods(Class& c) {
    for (const auto& fact : function_facts()) {
        const std::string name(fact.name);
        if (fact.vectors || fact.arguments > 2 || fact.more) {
            continue;
        }
        const auto numpy_name = name.starts_with('a') && name != "abs" ? "arc" + name.substr(1) : name;
        if (fact.arguments == 1) {
            c.def(
                numpy_name.c_str(), [name](const Expression& e) { return call_function(name, {{{e}}}).components[0]; },
                std::string(fact.summary).c_str());
        } else {
            c.def(
                numpy_name.c_str(),
                [name](const Expression& e, const py::object& b) {
                    return call_function(name, {{{e}}, {{to_expression(b, "the second argument")}}}).components[0];
                },
                std::string(fact.summary).c_str());
        }
    }
    using E = Expression;
    c.def("conjugate", [](const E& e) { return e; });
    c.def("fabs", [](const E& e) { return abs(e); });
    c.def("exp2", [](const E& e) { return pow(2, e); });
    c.def("expm1", [](const E& e) { return exp(e) - 1; });
    c.def("log1p", [](const E& e) { return log(1 + e); });
    c.def("log2", [](const E& e) { return log(e) / log(E(2)); });
    c.def("log10", [](const E& e) { return log(e) / log(E(10)); });
    c.def("square", [](const E& e) { return e * e; });
    c.def("reciprocal", [](const E& e) { return 1 / e; });
    const auto radians = [](const E& e) { return e * (constant("pi") / 180); };
    const auto degrees = [](const E& e) { return e * (180 / constant("pi")); };
    c.def("radians", radians).def("deg2rad", radians).def("degrees", degrees).def("rad2deg", degrees);
}

void bind_structure(Class& c) {
    c.def_property_readonly(
        "op", [](const Expression& e) { return std::string(name(e.op())); },
        "The operation: '+', 'sin', 'symbol', ...");
    c.def_property_readonly(
        "arguments",
        [](const Expression& e) {
            return py::tuple(py::cast(std::vector<Expression>(e.arguments().begin(), e.arguments().end())));
        },
        "The arguments of the operation.");
    c.def_property_readonly(
        "text", [](const Expression& e) { return e.text(); },
        "The name of a symbol, the exact text of a constant, empty otherwise.");
    c.def_property_readonly(
        "symbols",
        [](const Expression& e) {
            auto symbols = symbols_of(std::array{e});
            std::erase_if(symbols, is_table);
            return py::tuple(py::cast(symbols));
        },
        "The symbols in the expression, in the order of their creation.");
    c.def(
        "diff",
        [](const Expression& e, const Expression& symbol) {
            if (!symbol.is(Op::symbol)) {
                throw InputError(fmt::format("derivatives are taken with respect to symbols, and this is not one: {}",
                                             shown(symbol)));
            }
            return derivative(e, symbol);
        },
        py::arg("symbol"), "The exact derivative with respect to a symbol.");
    c.def(
        "substitute",
        [](const Expression& e, const py::dict& replacements) {
            std::vector<Expression> symbols, by;
            for (const auto& [key, value] : replacements) {
                symbols.push_back(to_expression(key, "what is replaced"));
                by.push_back(to_expression(value, "what replaces a symbol"));
                if (!symbols.back().is(Op::symbol)) {
                    throw InputError(
                        fmt::format("only symbols can be replaced, and this is not one: {}", shown(symbols.back())));
                }
            }
            return substitute(e, symbols, by);
        },
        py::arg("replacements"), "The expression with symbols replaced: {symbol: expression or number}.");
    c.def(
        "evaluate",
        [](const Expression& e, const py::dict& values, const py::kwargs& named) {
            const py::dict all(values.attr("copy")());
            all.attr("update")(named);
            return evaluate(std::array{e}, all).front();
        },
        py::arg("values") = py::dict(), "Its value in double precision: e.evaluate(x=1.0) or e.evaluate({x: 1.0}).");
}

Value to_value(py::handle object) {
    if (const auto expression = as_expression(object)) {
        return {{*expression}};
    }
    auto components = to_expressions(object, "a component of a vector");
    if (components.empty()) {
        throw InputError("a vector needs at least one component");
    }
    return {std::move(components)};
}

}  // namespace

void bind_expressions(py::module_& m) {
    find_number_types();
    Class c(m, "Expression", "A symbolic expression: immutable, exact, with shared subexpressions.");
    // In the place of a constructor: an object without a node, which __new__ alone would leave behind, cannot exist.
    c.def_static(
        "__new__",
        [](const py::type&, const py::object& value) {
            if (py::isinstance<py::tuple>(value)) {
                return from_flat_nodes(value);
            }
            return py::isinstance<py::str>(value) ? constant(value.cast<std::string>())
                                                  : to_expression(value, "the value of a constant");
        },
        py::arg("type"), py::arg("value"));
    // Named so in the class only: pybind11 would take a method of that name for a constructor of its own.
    c.attr("__init__") = py::cpp_function([](const py::object&, const py::object&) {}, py::name("initialise"),
                                          py::is_method(c), py::arg("value"));
    bind_operators(c);
    bind_conversions(c);
    bind_numpy_methods(c);
    bind_structure(c);

    m.def(
        "symbol", [](const std::string& name) { return symbol(name); }, py::arg("name"));
    m.def(
        "constant", [](const std::string& text) { return constant(text); }, py::arg("text"));
    m.def(
        "parse", [](const std::string& text) { return parse(text); }, py::arg("text"));
    m.def("functions", [] {
        std::vector<std::tuple<std::string, int, std::string>> all;
        for (const auto& fact : function_facts()) {
            all.emplace_back(fact.name, fact.arguments, fact.summary);
        }
        return all;
    });
    m.def(
        "interp",
        [](const std::string& table, const py::object& x, int derivative) {
            return interp(table, to_expression(x, "x of interp"), derivative);
        },
        py::arg("table"), py::arg("x"), py::arg("derivative") = 0);
    m.def(
        "read_table",
        [](const std::string& path) {
            auto table = read_table_file(path, {});
            return std::pair(std::move(table.x), std::move(table.y));
        },
        py::arg("path"));
    m.def("vector_functions", [] {
        std::vector<std::string> all;
        for (const auto& fact : function_facts()) {
            if (fact.vectors) {
                all.emplace_back(fact.name);
            }
        }
        return all;
    });
    // A vector is any iterable of expressions or numbers; a result that is one comes as a list.
    m.def("call", [](const std::string& name, const py::args& arguments) -> py::object {
        std::vector<Value> values;
        for (const auto argument : arguments) {
            values.push_back(to_value(argument));
        }
        const auto result = call_function(name, values);
        return result.is_vector() ? py::cast(result.components) : py::cast(result.components[0]);
    });
    m.def(
        "latex", [](const py::object& e) { return to_latex(to_expression(e, "what is typeset")); },
        py::arg("expression"));
    m.def(
        "shared_text",
        [](const py::object& expressions, const std::vector<std::string>& taken) {
            auto shared = shared_text(to_expressions(expressions, "an expression"), taken);
            return std::pair(std::move(shared.definitions), std::move(shared.texts));
        },
        py::arg("expressions"), py::arg("taken_names") = std::vector<std::string>{});
    m.def(
        "evaluate",
        [](const py::object& expressions, const py::dict& values) {
            return evaluate(to_expressions(expressions, "an expression"), values);
        },
        py::arg("expressions"), py::arg("values"));
}

}  // namespace libration::python
