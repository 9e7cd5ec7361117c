// The rules of differentiation, on recorded operations.
#include "tangent_graph.hpp"

#include "expression/tape.hpp"

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Of 0, 1 and -1, which are asked for at every operation.
bool is_value(const Expression& e, int value) {
    return e.is(Op::constant) && (e.text() == (value == 0   ? "0"
                                               : value == 1 ? "1"
                                                            : "-1") ||
                                  (value == 0 && e.text() == "-0"));
}

const Expression& zero() {
    static const Expression value(0);
    return value;
}

// Of numbers alone.
std::optional<Expression> computed(Op op, std::span<const Expression> arguments) {
    if (op == Op::interp) {
        return std::nullopt;
    }
    std::array<double, 3> numbers{};
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (!arguments[k].is(Op::constant)) {
            return std::nullopt;
        }
        numbers[k] = from_text<double>(arguments[k].text());
    }
    const double value = operate(op, numbers[0], numbers[1], numbers[2]);
    return std::isfinite(value) ? std::optional(Expression(value)) : std::nullopt;
}

using Tangent = TangentGraph::Tangent;

Tangent sum(const Tangent& a, const Tangent& b) { return a && b ? Tangent(fused_sum(*a, *b)) : a ? a : b; }
Tangent negative(const Tangent& a) { return a ? Tangent(folded(Op::negate, std::array{*a})) : a; }
Tangent product(const Expression& factor, const Tangent& a) {
    return a ? Tangent(folded(Op::multiply, factor, *a)) : a;
}
// factor a + b
Tangent multiple(const Expression& factor, const Tangent& a, const Tangent& b) {
    return a && b ? Tangent(folded(Op::mad, std::array{factor, *a, *b})) : a ? product(factor, a) : b;
}
Tangent chosen(const Expression& condition, const Tangent& a, const Tangent& b) {
    return a || b ? Tangent(folded(Op::select, std::array{condition, a.value_or(zero()), b.value_or(zero())}))
                  : std::nullopt;
}
Expression reciprocal(const Expression& a) { return folded(Op::divide, Expression(1), a); }
Expression square(const Expression& a) { return folded(Op::multiply, a, a); }
Expression function(Op op, const Expression& a) { return folded(op, std::array{a}); }

// f'(a) of a function of one argument, of which e is the value.
Expression slope(const Expression& e) {
    const auto& a = e.arguments()[0];
    const Expression one(1);
    switch (e.op()) {
        case Op::sqrt: return folded(Op::divide, ratio(1, 2), e);
        case Op::cbrt: return folded(Op::divide, ratio(1, 3), square(e));
        case Op::exp: return e;
        case Op::log: return reciprocal(a);
        case Op::sin: return function(Op::cos, a);
        case Op::cos: return function(Op::negate, function(Op::sin, a));
        case Op::tan: return folded(Op::add, one, square(e));
        case Op::asin: return reciprocal(function(Op::sqrt, folded(Op::subtract, one, square(a))));
        case Op::acos:
            return function(Op::negate, reciprocal(function(Op::sqrt, folded(Op::subtract, one, square(a)))));
        case Op::atan: return reciprocal(folded(Op::add, one, square(a)));
        case Op::sinh: return function(Op::cosh, a);
        case Op::cosh: return function(Op::sinh, a);
        case Op::tanh: return folded(Op::subtract, one, square(e));
        case Op::asinh: return reciprocal(function(Op::sqrt, folded(Op::add, square(a), one)));
        case Op::acosh: return reciprocal(function(Op::sqrt, folded(Op::subtract, square(a), one)));
        case Op::atanh: return reciprocal(folded(Op::subtract, one, square(a)));
        case Op::abs: return function(Op::sign, a);
        default: return zero();
    }
}

}  // namespace

Expression folded(Op op, std::span<const Expression> arguments) {
    if (const auto number = computed(op, arguments)) {
        return *number;
    }
    const auto& a = arguments[0];
    const auto& b = arguments.size() > 1 ? arguments[1] : zero();
    switch (op) {
        case Op::negate:
            if (a.is(Op::negate)) {
                return a.arguments()[0];
            }
            break;
        case Op::add:
            if (is_value(a, 0) || is_value(b, 0)) {
                return is_value(a, 0) ? b : a;
            }
            break;
        case Op::subtract:
            if (is_value(b, 0)) {
                return a;
            }
            if (is_value(a, 0)) {
                return folded(Op::negate, std::array{b});
            }
            break;
        case Op::multiply:
            for (const auto& [factor, other] : {std::pair(a, b), std::pair(b, a)}) {
                if (is_value(factor, 0) || is_value(factor, 1)) {
                    return is_value(factor, 0) ? zero() : other;
                }
                if (is_value(factor, -1)) {
                    return folded(Op::negate, std::array{other});
                }
            }
            break;
        case Op::divide:
            if (is_value(a, 0) || is_value(b, 1)) {
                return a;
            }
            break;
        case Op::mad:
            if (is_value(a, 0) || is_value(b, 0) || is_value(a, 1) || is_value(b, 1) || is_value(arguments[2], 0)) {
                return folded(Op::add, folded(Op::multiply, a, b), arguments[2]);
            }
            break;
        case Op::select:
            if (a.is(Op::constant)) {
                return is_value(a, 0) ? arguments[2] : b;
            }
            if (b == arguments[2]) {
                return b;
            }
            break;
        default: break;
    }
    return verbatim(op, arguments);
}

Expression folded(Op op, const Expression& a, const Expression& b) { return folded(op, std::array{a, b}); }

Expression fused_sum(const Expression& a, const Expression& b) {
    for (const auto& [product, other] : {std::pair(a, b), std::pair(b, a)}) {
        if (product.is(Op::multiply)) {
            return folded(Op::mad, std::array{product.arguments()[0], product.arguments()[1], other});
        }
    }
    return folded(Op::add, a, b);
}

Expression Replacement::of(const Expression& root) {
    for (const auto& e : sorted_nodes(std::array{root})) {
        if (known_.contains(e)) {
            continue;
        }
        std::vector<Expression> arguments;
        for (const auto& a : e.arguments()) {
            arguments.push_back(known_.at(a));
        }
        auto image = arguments.empty() ? e : folded(e.op(), arguments);
        if (vanishing_ > 0 && image.is(Op::constant) && std::abs(from_text<double>(image.text())) == vanishing_) {
            image = zero();
        }
        known_.emplace(e, std::move(image));
    }
    return known_.at(root);
}

std::vector<Expression> Replacement::of(std::span<const Expression> all) {
    std::vector<Expression> images;
    for (const auto& e : all) {
        images.push_back(of(e));
    }
    return images;
}

Tangent TangentGraph::of(const Expression& root) {
    for (const auto& e : sorted_nodes(std::array{root})) {
        if (!tangents_.contains(e)) {
            tangents_.emplace(e, find(e));
        }
    }
    return known(root);
}

Expression TangentGraph::exact(const Expression& e) const {
    const auto found = exact_.find(e);
    return found == exact_.end() ? e : found->second;
}

Tangent TangentGraph::find(const Expression& e) {
    const auto a = e.arguments();
    switch (e.op()) {
        case Op::constant: return std::nullopt;
        case Op::symbol: {
            const auto found = seeds_.find(e);
            return found == seeds_.end() ? std::nullopt : Tangent(found->second);
        }
        case Op::negate: return negative(known(a[0]));
        case Op::add: return sum(known(a[0]), known(a[1]));
        case Op::subtract: return of_difference(e);
        case Op::multiply:
        case Op::divide:
        case Op::mad: return of_product(e);
        case Op::select: return chosen(a[0], known(a[1]), known(a[2]));
        case Op::min: return chosen(folded(Op::less, a[1], a[0]), known(a[1]), known(a[0]));
        case Op::max: return chosen(folded(Op::less, a[0], a[1]), known(a[1]), known(a[0]));
        default: return of_function(e);
    }
}

Tangent TangentGraph::of_difference(const Expression& e) {
    const auto left = exact(e.arguments()[0]), right = exact(e.arguments()[1]);
    if (left == right) {
        return std::nullopt;  // what rounding dropped
    }
    if (left.is(Op::add)) {
        const auto u = exact(left.arguments()[0]), v = exact(left.arguments()[1]);
        if (u == right || v == right) {
            const auto& rest = u == right ? v : u;
            exact_.emplace(e, rest);
            return known(rest);
        }
    }
    const auto &a = known(e.arguments()[0]), &b = known(e.arguments()[1]);
    if (a && b && b->is(Op::multiply)) {
        return folded(Op::mad, std::array{folded(Op::negate, std::array{b->arguments()[0]}), b->arguments()[1], *a});
    }
    return a && b ? Tangent(folded(Op::subtract, *a, *b)) : a ? a : negative(b);
}

Tangent TangentGraph::of_product(const Expression& e) {
    const auto a = e.arguments();
    const auto &of_a = known(a[0]), &of_b = known(a[1]);
    if (e.is(Op::multiply)) {
        return multiple(a[0], of_b, product(a[1], of_a));
    }
    if (e.is(Op::mad)) {
        return multiple(a[0], of_b, multiple(a[1], of_a, known(a[2])));
    }
    return product(reciprocal(a[1]), multiple(folded(Op::negate, std::array{e}), of_b, of_a));
}

Tangent TangentGraph::of_function(const Expression& e) {
    const auto a = e.arguments();
    const auto& first = known(a[0]);
    switch (e.op()) {
        case Op::power: {
            const auto in_base =
                folded(Op::multiply, a[1], folded(Op::power, a[0], folded(Op::subtract, a[1], Expression(1))));
            auto result = product(in_base, first);
            if (const auto& exponent = known(a[1])) {
                // As of dual numbers: nothing where the base has no logarithm.
                const auto slope = folded(Op::multiply, e, function(Op::log, a[0]));
                result = multiple(folded(Op::select, std::array{folded(Op::less, zero(), a[0]), slope, zero()}),
                                  exponent, result);
            }
            return result;
        }
        case Op::atan2: {
            const auto inverse = reciprocal(folded(Op::mad, std::array{a[0], a[0], square(a[1])}));
            return multiple(folded(Op::multiply, a[1], inverse), first,
                            negative(product(folded(Op::multiply, a[0], inverse), known(a[1]))));
        }
        case Op::hypot:
            return multiple(folded(Op::divide, a[0], e), first, product(folded(Op::divide, a[1], e), known(a[1])));
        case Op::interp:
            return product(folded(Op::interp, std::array{a[0], a[1], folded(Op::add, a[2], Expression(1))}), first);
        case Op::sign:
        case Op::floor:
        case Op::logical_not:
        case Op::less:
        case Op::less_equal:
        case Op::equal:
        case Op::logical_and:
        case Op::logical_or:
        case Op::floors: return std::nullopt;
        default: return first ? product(slope(e), first) : std::nullopt;
    }
}

}  // namespace libration
