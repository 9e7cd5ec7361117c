// Building expressions and walking over them.
#include "node.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace libration {

namespace {

struct OpFact {
    std::string_view name;
    int arity;
};

constexpr std::array<OpFact, 42> op_facts{{
    {"constant", 0}, {"symbol", 0}, {"-", 1},      {"sqrt", 1},  {"cbrt", 1},  {"exp", 1},    {"log", 1},
    {"sin", 1},      {"cos", 1},    {"tan", 1},    {"asin", 1},  {"acos", 1},  {"atan", 1},   {"sinh", 1},
    {"cosh", 1},     {"tanh", 1},   {"asinh", 1},  {"acosh", 1}, {"atanh", 1}, {"abs", 1},    {"sign", 1},
    {"floor", 1},    {"not", 1},    {"+", 2},      {"-", 2},     {"*", 2},     {"/", 2},      {"^", 2},
    {"atan2", 2},    {"hypot", 2},  {"min", 2},    {"max", 2},   {"<", 2},     {"<=", 2},     {"==", 2},
    {"and", 2},      {"or", 2},     {"floors", 2}, {"if", 3},    {"mad", 3},   {"interp", 3}, {"", 0},
}};
static_assert(static_cast<std::size_t>(Op::interp) + 2 == op_facts.size());

Expression apply1(Op op, const Expression& a) { return operation(op, std::array{a}); }
Expression apply2(Op op, const Expression& a, const Expression& b) { return operation(op, std::array{a, b}); }

}  // namespace

int arity(Op op) { return op_facts[static_cast<std::size_t>(op)].arity; }
std::string_view name(Op op) { return op_facts[static_cast<std::size_t>(op)].name; }

Expression::Expression() : Expression(0) {}
Expression::Expression(int value) : Expression(intern(Op::constant, std::to_string(value), {})) {}
Expression::Expression(double value) : Expression(constant(fmt::format("{}", value))) {}
Expression::Expression(std::shared_ptr<const ExpressionNode> node) : node_(std::move(node)) {}

Op Expression::op() const { return node_->op; }
std::span<const Expression> Expression::arguments() const {
    return std::span(node_->arguments).first(static_cast<std::size_t>(arity(node_->op)));
}
const std::string& Expression::text() const { return node_->text; }
std::uint64_t Expression::serial() const { return node_->serial; }
bool Expression::is_constant(std::int64_t value) const {
    return node_->value && node_->value->denominator == 1 && node_->value->numerator == value;
}

Expression symbol(std::string_view name) { return intern(Op::symbol, std::string(name), {}); }

Expression fresh_symbol(std::string_view stem) {
    static std::atomic<std::uint64_t> count{0};
    return intern(Op::symbol, fmt::format("{}%{}", stem, ++count), {});
}

Expression constant(std::string_view exact_text) {
    if (exact_text == "pi") {
        return intern(Op::constant, "pi", {});
    }
    if (const auto value = read_rational(exact_text)) {
        return intern(Op::constant, to_string(*value), {});
    }
    // Too long for a ratio of integers: the text itself is kept.
    const auto digits = exact_text.substr(exact_text.starts_with('+') ? 1 : 0);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range) {
        throw InputError(fmt::format("the number {} is outside the range of double precision", exact_text));
    }
    if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value)) {
        throw InputError(fmt::format("'{}' is not a number", exact_text));
    }
    return intern(Op::constant, std::string(exact_text), {});
}

Expression ratio(std::int64_t numerator, std::int64_t denominator) {
    const auto value = make_rational(numerator, denominator);
    if (!value) {
        throw InputError(fmt::format("{}/{} is not a ratio of integers below 2^53", numerator, denominator));
    }
    return intern(Op::constant, to_string(*value), {});
}

Expression verbatim(Op op, std::span<const Expression> arguments) { return intern(op, {}, arguments); }

Expression operator+(const Expression& a, const Expression& b) { return apply2(Op::add, a, b); }
Expression operator-(const Expression& a, const Expression& b) { return apply2(Op::subtract, a, b); }
Expression operator*(const Expression& a, const Expression& b) { return apply2(Op::multiply, a, b); }
Expression operator/(const Expression& a, const Expression& b) { return apply2(Op::divide, a, b); }
Expression operator-(const Expression& a) { return apply1(Op::negate, a); }
Expression& operator+=(Expression& a, const Expression& b) { return a = a + b; }

Expression pow(const Expression& base, const Expression& exponent) { return apply2(Op::power, base, exponent); }
Expression sqrt(const Expression& a) { return apply1(Op::sqrt, a); }
Expression cbrt(const Expression& a) { return apply1(Op::cbrt, a); }
Expression exp(const Expression& a) { return apply1(Op::exp, a); }
Expression log(const Expression& a) { return apply1(Op::log, a); }
Expression sin(const Expression& a) { return apply1(Op::sin, a); }
Expression cos(const Expression& a) { return apply1(Op::cos, a); }
Expression tan(const Expression& a) { return apply1(Op::tan, a); }
Expression asin(const Expression& a) { return apply1(Op::asin, a); }
Expression acos(const Expression& a) { return apply1(Op::acos, a); }
Expression atan(const Expression& a) { return apply1(Op::atan, a); }
Expression sinh(const Expression& a) { return apply1(Op::sinh, a); }
Expression cosh(const Expression& a) { return apply1(Op::cosh, a); }
Expression tanh(const Expression& a) { return apply1(Op::tanh, a); }
Expression asinh(const Expression& a) { return apply1(Op::asinh, a); }
Expression acosh(const Expression& a) { return apply1(Op::acosh, a); }
Expression atanh(const Expression& a) { return apply1(Op::atanh, a); }
Expression abs(const Expression& a) { return apply1(Op::abs, a); }
Expression sign(const Expression& a) { return apply1(Op::sign, a); }
Expression floor(const Expression& a) { return apply1(Op::floor, a); }
Expression mod(const Expression& a, const Expression& b) { return a - b * floor(a / b); }
Expression atan2(const Expression& y, const Expression& x) { return apply2(Op::atan2, y, x); }
Expression hypot(const Expression& a, const Expression& b) { return apply2(Op::hypot, a, b); }
Expression min(const Expression& a, const Expression& b) { return apply2(Op::min, a, b); }
Expression max(const Expression& a, const Expression& b) { return apply2(Op::max, a, b); }
Expression if_(const Expression& condition, const Expression& a, const Expression& b) {
    return operation(Op::select, std::array{condition, a, b});
}
Expression less(const Expression& a, const Expression& b) { return apply2(Op::less, a, b); }
Expression less_equal(const Expression& a, const Expression& b) { return apply2(Op::less_equal, a, b); }

std::vector<Expression> sorted_nodes(std::span<const Expression> expressions) {
    std::unordered_set<const ExpressionNode*> seen;
    std::vector<Expression> found;
    std::vector<Expression> open(expressions.begin(), expressions.end());
    while (!open.empty()) {
        const Expression e = open.back();
        open.pop_back();
        if (seen.insert(e.node()).second) {
            found.push_back(e);
            open.insert(open.end(), e.arguments().begin(), e.arguments().end());
        }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.serial() < b.serial(); });
    return found;
}

std::vector<Expression> symbols_of(std::span<const Expression> expressions) {
    auto nodes = written_order(expressions);
    std::erase_if(nodes, [](const Expression& e) { return !e.is(Op::symbol); });
    return nodes;
}

bool depends_on(const Expression& expression, std::span<const Expression> symbols) {
    const auto used = symbols_of(std::array{expression});
    return std::any_of(used.begin(), used.end(), [&](const Expression& s) {
        return std::find(symbols.begin(), symbols.end(), s) != symbols.end();
    });
}

Expression substitute(const Expression& expression, std::span<const Expression> symbols,
                      std::span<const Expression> by) {
    std::unordered_map<Expression, Expression> image;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        image.emplace(symbols[i], by[i]);
    }
    for (const auto& e : sorted_nodes(std::array{expression})) {
        if (e.arguments().empty()) {
            image.emplace(e, e);
            continue;
        }
        std::vector<Expression> arguments;
        for (const auto& a : e.arguments()) {
            arguments.push_back(image.at(a));
        }
        image.emplace(e, operation(e.op(), arguments));
    }
    return image.at(expression);
}

}  // namespace libration
