// Scalar and vector functions of text.
#include "functions.hpp"

#include "text/shorten.hpp"
#include "text/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace libration {

namespace {

struct Function {
    FunctionFact fact;
    Op op = Op::constant;  // of the functions of numbers
};

constexpr Function scalar(Op op, std::string_view name, std::string_view summary, int arguments = 1) {
    return {{.name = name, .arguments = arguments, .summary = summary}, op};
}
constexpr Function of_vectors(std::string_view name, int arguments, std::string_view summary) {
    return {{.name = name, .arguments = arguments, .vectors = true, .summary = summary}};
}
constexpr Function any_number(Op op, std::string_view name, std::string_view summary) {
    return {{.name = name, .arguments = 2, .more = true, .summary = summary}, op};
}

constexpr std::array functions{
    scalar(Op::sqrt, "sqrt", "Square root."),
    scalar(Op::cbrt, "cbrt", "Cube root, also of negative numbers."),
    scalar(Op::exp, "exp", "Exponential function."),
    scalar(Op::log, "log", "Natural logarithm."),
    scalar(Op::sin, "sin", "Sine of an angle in radians."),
    scalar(Op::cos, "cos", "Cosine of an angle in radians."),
    scalar(Op::tan, "tan", "Tangent of an angle in radians."),
    scalar(Op::asin, "asin", "Inverse sine, from -pi/2 to pi/2."),
    scalar(Op::acos, "acos", "Inverse cosine, from 0 to pi."),
    scalar(Op::atan, "atan", "Inverse tangent, from -pi/2 to pi/2."),
    scalar(Op::atan2, "atan2", "The angle of the point (x, y), written atan2(y, x), from -pi to pi.", 2),
    scalar(Op::sinh, "sinh", "Hyperbolic sine."),
    scalar(Op::cosh, "cosh", "Hyperbolic cosine."),
    scalar(Op::tanh, "tanh", "Hyperbolic tangent."),
    scalar(Op::asinh, "asinh", "Inverse hyperbolic sine."),
    scalar(Op::acosh, "acosh", "Inverse hyperbolic cosine."),
    scalar(Op::atanh, "atanh", "Inverse hyperbolic tangent."),
    scalar(Op::abs, "abs", "Absolute value."),
    scalar(Op::sign, "sign", "-1, 0 or 1: the sign of a number."),
    scalar(Op::floor, "floor", "The largest integer not greater than x."),
    scalar(Op::constant, "mod", "a - b*floor(a/b): the remainder of a division, with the sign of b.", 2),
    any_number(Op::min, "min", "The smallest of two or more numbers."),
    any_number(Op::max, "max", "The largest of two or more numbers."),
    scalar(Op::hypot, "hypot", "sqrt(a^2 + b^2) without intermediate overflow.", 2),
    scalar(Op::select, "if", "if(condition, a, b): a if the condition holds, otherwise b.", 3),
    of_vectors("dot", 2, "Scalar product of two vectors of equal length."),
    of_vectors("cross", 2, "Vector product; for vectors in the plane, the number a.x*b.y - a.y*b.x."),
    of_vectors("norm", 1, "Euclidean length of a vector."),
    of_vectors("norm2", 1, "Square of the Euclidean length of a vector."),
};

constexpr auto facts = [] {
    std::array<FunctionFact, functions.size()> all{};
    for (std::size_t k = 0; k < all.size(); ++k) {
        all[k] = functions[k].fact;
    }
    return all;
}();

const Function* find_function(std::string_view name) {
    const auto found = std::ranges::find(functions, name, [](const Function& f) { return f.fact.name; });
    return found == functions.end() ? nullptr : &*found;
}

void require(bool condition, const std::string& reason) {
    if (!condition) {
        throw std::invalid_argument(reason);
    }
}

Expression dot(const Value& a, const Value& b) {
    require(a.components.size() == b.components.size(),
            fmt::format("dot needs two vectors of equal length, these have {} and {} components", a.components.size(),
                        b.components.size()));
    require(!a.components.empty(), "dot needs vectors with at least one component");
    Expression sum = a.components[0] * b.components[0];
    for (std::size_t k = 1; k < a.components.size(); ++k) {
        sum += a.components[k] * b.components[k];
    }
    return sum;
}

Value cross(const Value& a, const Value& b) {
    const auto& x = a.components;
    const auto& y = b.components;
    require(x.size() == y.size() && (x.size() == 2 || x.size() == 3),
            "cross needs two vectors of two or three components each");
    if (x.size() == 2) {
        return {{x[0] * y[1] - x[1] * y[0]}};
    }
    return {{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]}};
}

Value call_vector_function(std::string_view name, const std::vector<Value>& arguments) {
    const std::size_t wanted = name.starts_with("norm") ? 1 : 2;
    require(arguments.size() == wanted, fmt::format("{} takes {} argument{}", name, wanted, wanted == 1 ? "" : "s"));
    if (name == "dot") {
        return {{dot(arguments[0], arguments[1])}};
    }
    if (name == "cross") {
        return cross(arguments[0], arguments[1]);
    }
    const auto square = dot(arguments[0], arguments[0]);
    return {{name == "norm2" ? square : sqrt(square)}};
}

}  // namespace

std::span<const FunctionFact> function_facts() { return facts; }

bool is_function(std::string_view name) { return find_function(name) != nullptr; }

std::vector<std::string> function_names() {
    std::vector<std::string> names{"sum", "interp"};
    for (const auto& fact : facts) {
        names.emplace_back(fact.name);
    }
    return names;
}

Value call_function(std::string_view name, const std::vector<Value>& arguments) {
    const Function* const function = find_function(name);
    require(function != nullptr, unknown_function(name));
    if (function->fact.vectors) {
        return call_vector_function(name, arguments);
    }
    const Op op = function->op;
    std::vector<Expression> scalars;
    for (const auto& argument : arguments) {
        require(!argument.is_vector(), fmt::format("{} takes numbers, not vectors", name));
        scalars.push_back(argument.components[0]);
    }
    if (function->fact.more && scalars.size() > 2) {
        Expression result = scalars[0];
        for (std::size_t k = 1; k < scalars.size(); ++k) {
            result = operation(op, std::array{result, scalars[k]});
        }
        return {{result}};
    }
    const auto wanted = static_cast<std::size_t>(function->fact.arguments);
    require(scalars.size() == wanted,
            fmt::format("{} takes {} argument{}, not {}", name, wanted, wanted == 1 ? "" : "s", scalars.size()));
    if (name == "mod") {  // made of operations that have derivatives
        return {{mod(scalars[0], scalars[1])}};
    }
    return {{operation(op, scalars)}};
}

namespace {

// Names of other languages, and how the same is written here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 31> elsewhere{{
    {"fmod", "mod(a, b)"},
    {"rem", "mod(a, b)"},
    {"modulo", "mod(a, b)"},
    {"remainder", "mod(a, b)"},
    {"interpolate", "interp(table, x)"},
    {"interp1", "interp(table, x)"},
    {"interp1d", "interp(table, x)"},
    {"spline", "interp(table, x) with a table of kind = \"cubic\""},
    {"lookup", "interp(table, x)"},
    {"table", "interp(table, x)"},
    {"ln", "log(x)"},
    {"log10", "log(x)/log(10)"},
    {"log2", "log(x)/log(2)"},
    {"pow", "a^b"},
    {"power", "a^b"},
    {"square", "x^2"},
    {"fabs", "abs(x)"},
    {"mag", "norm(v)"},
    {"sgn", "sign(x)"},
    {"signum", "sign(x)"},
    {"ceil", "-floor(-x)"},
    {"ceiling", "-floor(-x)"},
    {"round", "floor(x + 1/2)"},
    {"heaviside", "if(x < 0, 0, 1)"},
    {"where", "if(condition, a, b)"},
    {"piecewise", "if(condition, a, b)"},
    {"arcsin", "asin(x)"},
    {"arccos", "acos(x)"},
    {"arctan", "atan(x)"},
    {"arctan2", "atan2(y, x)"},
    {"radians", "x*pi/180"},
}};

}  // namespace

std::string unknown_function(std::string_view name) {
    const auto known = std::ranges::find(elsewhere, name, [](const auto& entry) { return entry.first; });
    return fmt::format("unknown function '{}'{}", shortened(name),
                       known != elsewhere.end() ? fmt::format(": did you mean {}?", known->second)
                                                : suggestion(name, function_names(), 40));
}

std::string no_such_table(std::string_view name, const std::vector<std::string>& known) {
    return fmt::format("unknown table '{}'{}", shortened(name),
                       known.empty() ? "; the model has no `[tables]`" : suggestion(name, known));
}

Value combine(char op, const Value& a, const Value& b) {
    const auto one = [op](const Expression& x, const Expression& y) {
        switch (op) {
            case '+': return x + y;
            case '-': return x - y;
            case '*': return x * y;
            default: return x / y;
        }
    };
    if (!a.is_vector() && !b.is_vector()) {
        return {{one(a.components[0], b.components[0])}};
    }
    Value result;
    if (op == '+' || op == '-') {
        require(a.components.size() == b.components.size(),
                fmt::format("the two sides of '{}' have {} and {} components", op, a.components.size(),
                            b.components.size()));
        for (std::size_t k = 0; k < a.components.size(); ++k) {
            result.components.push_back(one(a.components[k], b.components[k]));
        }
        return result;
    }
    require(op == '*' ? a.is_vector() != b.is_vector() : !b.is_vector(),
            op == '*' ? "two vectors cannot be multiplied with '*'; use dot(a, b) or cross(a, b)"
                      : "a vector cannot be a divisor");
    const auto& vector = a.is_vector() ? a : b;
    const auto& scalar = a.is_vector() ? b : a;
    for (const auto& component : vector.components) {
        result.components.push_back(one(component, scalar.components[0]));
    }
    return result;
}

}  // namespace libration
