// Algebraic identities. None of them makes an expression defined where it was not: 0*e is 0 only where e is total.
#include "node.hpp"
#include "table_handle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace libration {

namespace {

using Arguments = std::span<const Expression>;
using Maybe = std::optional<Expression>;

Expression from(const Rational& value) { return intern(Op::constant, to_string(value), {}); }

Maybe from(const std::optional<Rational>& value) { return value ? Maybe(from(*value)) : std::nullopt; }

bool total(const Expression& e) { return e.node()->total; }

std::int64_t floor_of(const Rational& r) {
    const auto quotient = r.numerator / r.denominator;
    return r.numerator % r.denominator < 0 ? quotient - 1 : quotient;
}

bool smaller(const Rational& a, const Rational& b) {
    const auto difference = a + Rational{-b.numerator, b.denominator};
    // Too large to subtract exactly: doubles of such different size compare rightly.
    return difference ? difference->numerator < 0
                      : static_cast<double>(a.numerator) / static_cast<double>(a.denominator) <
                            static_cast<double>(b.numerator) / static_cast<double>(b.denominator);
}

Maybe power_of(const Rational& base, std::int64_t exponent) {
    std::optional<Rational> result = Rational{1, 1};
    for (std::int64_t k = 0; k < std::abs(exponent) && result; ++k) {
        result = exponent > 0 ? *result * base : *result / base;
    }
    return from(result);
}

std::optional<std::int64_t> exact_root(std::int64_t square) {
    const auto root =
        static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(std::max(square, std::int64_t{0})))));
    constexpr std::int64_t largest = 1 << 26;  // its square has no more digits than a double
    return root <= largest && root * root == square ? std::optional(root) : std::nullopt;
}

// Roots that every scalar finds without rounding, such as those of lengths of axes: sqrt(1) is 1.
Maybe root_of(const Rational& square) {
    const auto above = exact_root(square.numerator), below = exact_root(square.denominator);
    const bool is_binary = below && (*below & (*below - 1)) == 0;
    return above && is_binary ? Maybe(from(Rational{*above, *below})) : std::nullopt;
}

Maybe fold(Op op, Arguments a) {
    for (const auto& argument : a) {
        if (!rational_value(argument)) {
            return std::nullopt;
        }
    }
    const Rational x = *rational_value(a[0]);
    const Rational y = a.size() > 1 ? *rational_value(a[1]) : Rational{};
    const auto truth = [](bool value) { return Maybe(from(Rational{value ? 1 : 0, 1})); };
    switch (op) {
        case Op::add: return from(x + y);
        case Op::subtract: return from(x + Rational{-y.numerator, y.denominator});
        case Op::multiply: return from(x * y);
        case Op::divide: return from(x / y);
        case Op::negate: return from(Rational{-x.numerator, x.denominator});
        case Op::abs: return from(Rational{std::abs(x.numerator), x.denominator});
        case Op::sign: return from(Rational{x.numerator > 0 ? 1 : (x.numerator < 0 ? -1 : 0), 1});
        case Op::floor: return from(Rational{floor_of(x), 1});
        case Op::power:
            return y.denominator == 1 && std::abs(y.numerator) <= 64 ? power_of(x, y.numerator) : std::nullopt;
        case Op::min: return smaller(y, x) ? a[1] : a[0];
        case Op::max: return smaller(x, y) ? a[1] : a[0];
        case Op::less: return truth(smaller(x, y));
        case Op::less_equal: return truth(!smaller(y, x));
        case Op::equal: return truth(!smaller(x, y) && !smaller(y, x));
        case Op::logical_and: return truth(x.numerator != 0 && y.numerator != 0);
        case Op::logical_or: return truth(x.numerator != 0 || y.numerator != 0);
        case Op::logical_not: return truth(x.numerator == 0);
        case Op::sqrt: return root_of(x);
        case Op::sin:
        case Op::tan:
        case Op::sinh:
        case Op::tanh:
        case Op::asin:
        case Op::atan:
        case Op::asinh:
        case Op::atanh:
        case Op::cbrt: return x.numerator == 0 ? Maybe(from(Rational{0, 1})) : std::nullopt;
        case Op::cos:
        case Op::cosh:
        case Op::exp: return x.numerator == 0 ? Maybe(from(Rational{1, 1})) : std::nullopt;
        default: return std::nullopt;
    }
}

Maybe simplify_sum(const Expression& a, const Expression& b) {
    if (a.is_constant(0)) {
        return b;
    }
    if (b.is_constant(0)) {
        return a;
    }
    if (b.is(Op::negate)) {
        return a - b.arguments()[0];
    }
    if (a.is(Op::negate)) {
        return b - a.arguments()[0];
    }
    return std::nullopt;
}

Maybe simplify_difference(const Expression& a, const Expression& b) {
    if (b.is_constant(0)) {
        return a;
    }
    if (a.is_constant(0)) {
        return -b;
    }
    if (a == b && total(a)) {
        return Expression(0);
    }
    if (b.is(Op::negate)) {
        return a + b.arguments()[0];
    }
    return std::nullopt;
}

Maybe simplify_product(const Expression& a, const Expression& b) {
    for (const auto& [x, y] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
        if (x->is_constant(1)) {
            return *y;
        }
        if (x->is_constant(-1)) {
            return -*y;
        }
        if (x->is_constant(0) && total(*y)) {
            return Expression(0);
        }
        if (x->is(Op::negate)) {
            return -(x->arguments()[0] * *y);
        }
        // c1*(c2*e) = (c1*c2)*e keeps derivatives of powers short.
        if (rational_value(*x) && y->is(Op::multiply)) {
            for (int k = 0; k < 2; ++k) {
                const auto& factor = y->arguments()[k];
                if (rational_value(factor)) {
                    if (const auto product = *rational_value(*x) * *rational_value(factor)) {
                        return from(*product) * y->arguments()[1 - k];
                    }
                }
            }
        }
    }
    return std::nullopt;
}

Maybe simplify_quotient(const Expression& a, const Expression& b) {
    if (b.is_constant(1)) {
        return a;
    }
    if (b.is_constant(-1)) {
        return -a;
    }
    if (a.is(Op::negate)) {
        return -(a.arguments()[0] / b);
    }
    return std::nullopt;
}

Maybe simplify_power(const Expression& base, const Expression& exponent) {
    if (exponent.is_constant(1)) {
        return base;
    }
    if (exponent.is_constant(0) && total(base)) {
        return Expression(1);
    }
    if (exponent == ratio(1, 2)) {
        return sqrt(base);
    }
    return std::nullopt;
}

}  // namespace

Expression operation(Op op, Arguments a) {
    if (auto folded = fold(op, a)) {
        return *folded;
    }
    Maybe simple;
    switch (op) {
        case Op::add: simple = simplify_sum(a[0], a[1]); break;
        case Op::subtract: simple = simplify_difference(a[0], a[1]); break;
        case Op::multiply: simple = simplify_product(a[0], a[1]); break;
        case Op::divide: simple = simplify_quotient(a[0], a[1]); break;
        case Op::power: simple = simplify_power(a[0], a[1]); break;
        case Op::negate:
            if (a[0].is(Op::negate)) {
                simple = a[0].arguments()[0];
            }
            break;
        case Op::select:
            if (rational_value(a[0])) {
                simple = a[0].is_constant(0) ? a[2] : a[1];
            } else if (a[1] == a[2] && total(a[0])) {
                simple = a[1];
            }
            break;
        case Op::interp:
            if (total(a[0]) && vanishes(a[1], a[2])) {
                simple = Expression(0);
            }
            break;
        default: break;
    }
    return simple ? *simple : verbatim(op, a);
}

}  // namespace libration
