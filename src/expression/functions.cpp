// Scalar and vector functions of text.
#include "functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace libration {

namespace {

const std::map<std::string_view, Op>& scalar_functions() {
    static const std::map<std::string_view, Op> table{
        {"sqrt", Op::sqrt},   {"cbrt", Op::cbrt},   {"exp", Op::exp},     {"log", Op::log},   {"sin", Op::sin},
        {"cos", Op::cos},     {"tan", Op::tan},     {"asin", Op::asin},   {"acos", Op::acos}, {"atan", Op::atan},
        {"atan2", Op::atan2}, {"sinh", Op::sinh},   {"cosh", Op::cosh},   {"tanh", Op::tanh}, {"asinh", Op::asinh},
        {"acosh", Op::acosh}, {"atanh", Op::atanh}, {"abs", Op::abs},     {"sign", Op::sign}, {"floor", Op::floor},
        {"min", Op::min},     {"max", Op::max},     {"hypot", Op::hypot}, {"if", Op::select},
    };
    return table;
}

constexpr std::array<std::string_view, 4> vector_functions{"dot", "cross", "norm", "norm2"};

void require(bool condition, const std::string& reason) {
    if (!condition) {
        throw std::invalid_argument(reason);
    }
}

Expression dot(const Value& a, const Value& b) {
    require(a.components.size() == b.components.size(),
            fmt::format("dot needs two vectors of one length, these have {} and {}", a.components.size(),
                        b.components.size()));
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
            "cross needs two vectors of two or of three components");
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

bool is_function(std::string_view name) {
    return scalar_functions().contains(name) || std::ranges::find(vector_functions, name) != vector_functions.end();
}

std::vector<std::string> function_names() {
    std::vector<std::string> names{"sum"};
    for (const auto& [name, op] : scalar_functions()) {
        names.emplace_back(name);
    }
    names.insert(names.end(), vector_functions.begin(), vector_functions.end());
    return names;
}

Value call_function(std::string_view name, const std::vector<Value>& arguments) {
    if (std::ranges::find(vector_functions, name) != vector_functions.end()) {
        return call_vector_function(name, arguments);
    }
    const Op op = scalar_functions().at(name);
    std::vector<Expression> scalars;
    for (const auto& argument : arguments) {
        require(!argument.is_vector(), fmt::format("{} takes numbers, not vectors", name));
        scalars.push_back(argument.components[0]);
    }
    if ((op == Op::min || op == Op::max) && scalars.size() > 2) {
        Expression result = scalars[0];
        for (std::size_t k = 1; k < scalars.size(); ++k) {
            result = operation(op, std::array{result, scalars[k]});
        }
        return {{result}};
    }
    const auto wanted = static_cast<std::size_t>(arity(op));
    require(scalars.size() == wanted,
            fmt::format("{} takes {} argument{}, not {}", name, wanted, wanted == 1 ? "" : "s", scalars.size()));
    return {{operation(op, scalars)}};
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
