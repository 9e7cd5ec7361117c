// The chain rule over the graph, backward for gradients and forward for directional derivatives.
#include <libration/expression/differentiate.hpp>

#include <libration/text/error.hpp>

#include <optional>
#include <unordered_map>

namespace libration {

namespace {

using Maybe = std::optional<Expression>;  // nothing: identically zero

// The partial derivative of node e to its argument number i.
Maybe partial(const Expression& e, int i) {
    const auto a = e.arguments();
    switch (e.op()) {
        case Op::negate: return Expression(-1);
        case Op::add: return Expression(1);
        case Op::subtract: return Expression(i == 0 ? 1 : -1);
        case Op::multiply: return a[1 - i];
        case Op::divide: return i == 0 ? 1 / a[1] : -(e / a[1]);
        case Op::sqrt: return ratio(1, 2) / e;
        case Op::cbrt: return ratio(1, 3) / (e * e);
        case Op::exp: return e;
        case Op::log: return 1 / a[0];
        case Op::sin: return cos(a[0]);
        case Op::cos: return -sin(a[0]);
        case Op::tan: return 1 + e * e;
        case Op::asin: return 1 / sqrt(1 - a[0] * a[0]);
        case Op::acos: return -(1 / sqrt(1 - a[0] * a[0]));
        case Op::atan: return 1 / (1 + a[0] * a[0]);
        case Op::sinh: return cosh(a[0]);
        case Op::cosh: return sinh(a[0]);
        case Op::tanh: return 1 - e * e;
        case Op::asinh: return 1 / sqrt(a[0] * a[0] + 1);
        case Op::acosh: return 1 / sqrt(a[0] * a[0] - 1);
        case Op::atanh: return 1 / (1 - a[0] * a[0]);
        case Op::abs: return sign(a[0]);
        case Op::power: return i == 0 ? a[1] * pow(a[0], a[1] - 1) : e * log(a[0]);
        case Op::atan2: return i == 0 ? a[1] / (a[0] * a[0] + a[1] * a[1]) : -(a[0] / (a[0] * a[0] + a[1] * a[1]));
        case Op::hypot: return a[i] / e;
        case Op::mad: return i == 2 ? Expression(1) : a[1 - i];
        default:
            return std::nullopt;  // floor, sign, comparisons and conditions: constant where they are differentiable
    }
}

// min, max and if choose between two expressions; written as one form.
struct Choice {
    Expression condition, first, second;
};

std::optional<Choice> as_choice(const Expression& e) {
    const auto a = e.arguments();
    switch (e.op()) {
        case Op::select: return Choice{a[0], a[1], a[2]};
        case Op::min: return Choice{less(a[1], a[0]), a[1], a[0]};
        case Op::max: return Choice{less(a[0], a[1]), a[1], a[0]};
        default: return std::nullopt;
    }
}

Maybe plus(const Maybe& a, const Expression& b) { return a ? *a + b : b; }

}  // namespace

namespace {

// One reverse sweep. `visit(e, adjoint)` sees every operation that depends on the symbols, users before their arguments;
// `choose(choice, adjoint)` sees those that choose, and answers for all that is below them.
template <class Visit, class Choose>
std::unordered_map<Expression, Maybe> reverse_sweep(const Expression& expression, std::span<const Expression> symbols,
                                                    Visit visit, Choose choose) {
    const auto nodes = sorted_nodes(std::array{expression});
    std::unordered_map<Expression, Maybe> adjoint;
    std::unordered_map<Expression, bool> active;
    for (const auto& s : symbols) {
        active[s] = true;
    }
    for (const auto& e : nodes) {
        for (const auto& a : e.arguments()) {
            active[e] = active[e] || active[a];
        }
    }
    adjoint[expression] = Expression(1);
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
        const Expression& e = *it;
        const Maybe seed = adjoint[e];
        if (!seed || !active[e] || e.is(Op::symbol)) {
            continue;
        }
        if (const auto choice = as_choice(e)) {
            choose(*choice, *seed, adjoint);
            continue;
        }
        visit(e, *seed);
        for (int i = 0; i < arity(e.op()); ++i) {
            const Expression& a = e.arguments()[i];
            if (!active[a]) {
                continue;
            }
            // seed/b rather than seed*(1/b): one division, one rounding.
            if (e.is(Op::divide) && i == 0) {
                adjoint[a] = plus(adjoint[a], *seed / e.arguments()[1]);
            } else if (const auto slope = partial(e, i)) {
                adjoint[a] = plus(adjoint[a], *seed * *slope);
            }
        }
    }
    return adjoint;
}

}  // namespace

std::vector<Expression> gradient(const Expression& expression, std::span<const Expression> symbols) {
    // A branch that is not taken may be undefined, and 0*infinity is not 0: choose between whole gradients.
    const auto choose = [symbols](const Choice& choice, const Expression& seed, auto& adjoint) {
        const auto first = gradient(choice.first, symbols);
        const auto second = gradient(choice.second, symbols);
        for (std::size_t k = 0; k < symbols.size(); ++k) {
            const auto chosen = if_(choice.condition, first[k], second[k]);
            if (!chosen.is_constant(0)) {
                adjoint[symbols[k]] = plus(adjoint[symbols[k]], seed * chosen);
            }
        }
    };
    auto adjoint = reverse_sweep(
        expression, symbols, [](const Expression&, const Expression&) {}, choose);
    std::vector<Expression> result;
    for (const auto& s : symbols) {
        result.push_back(adjoint[s].value_or(Expression(0)));
    }
    return result;
}

namespace {

// Never negative: a square, or a short sum of such. Longer sums are not worth the search.
bool is_square_sum(const Expression& e, int depth = 3) {
    const auto a = e.arguments();
    return (e.is(Op::multiply) && a[0] == a[1]) || (e.is(Op::power) && a[1].is_constant(2)) ||
           (depth > 0 && e.is(Op::add) && is_square_sum(a[0], depth - 1) && is_square_sum(a[1], depth - 1));
}

// As a tree and not as a chain: the depth of an expression is limited.
Expression balanced_sum(std::vector<Expression> terms) {
    if (terms.empty()) {
        return Expression(0);
    }
    while (terms.size() > 1) {
        std::vector<Expression> pairs;
        for (std::size_t k = 0; k < terms.size(); k += 2) {
            pairs.push_back(k + 1 < terms.size() ? terms[k] + terms[k + 1] : terms[k]);
        }
        terms = std::move(pairs);
    }
    return terms[0];
}

// With `last` the last operation counts too: what a choice inside of an expression gives on is rounded like all else.
Expression rounding_sum(const Expression& expression, std::span<const Expression> symbols, bool last) {
    std::vector<Expression> terms;
    const auto add = [&](const Expression& e, const Expression& seed) {
        const bool exact = e.is(Op::negate) || e.is(Op::abs) || e.is(Op::sign) || e.is(Op::floor);
        if (!exact && (last || e != expression)) {
            terms.push_back(seed.is_constant(1) && is_square_sum(e) ? e : abs(seed * e));
        }
    };
    const bool last_of_branch = last || !as_choice(expression);
    const auto choose = [&](const Choice& choice, const Expression& seed, auto&) {
        terms.push_back(abs(seed) * if_(choice.condition, rounding_sum(choice.first, symbols, last_of_branch),
                                        rounding_sum(choice.second, symbols, last_of_branch)));
    };
    reverse_sweep(expression, symbols, add, choose);
    return balanced_sum(std::move(terms));
}

}  // namespace

Expression rounding_size(const Expression& expression, std::span<const Expression> symbols) {
    return rounding_sum(expression, symbols, false);
}

std::vector<std::vector<std::size_t>> jacobian_sparsity(std::span<const Expression> expressions,
                                                        std::span<const Expression> symbols) {
    std::vector<std::vector<std::size_t>> rows;
    for (const auto& expression : expressions) {
        const auto slopes = gradient(expression, symbols);
        rows.emplace_back();
        for (std::size_t k = 0; k < symbols.size(); ++k) {
            if (!slopes[k].is_constant(0)) {
                rows.back().push_back(k);
            }
        }
    }
    return rows;
}

Expression derivative(const Expression& expression, const Expression& symbol) {
    return directional_derivative(expression, std::array{symbol}, std::array{Expression(1)});
}

Expression directional_derivative(const Expression& expression, std::span<const Expression> symbols,
                                  std::span<const Expression> directions) {
    std::unordered_map<Expression, Maybe> tangent;
    for (std::size_t k = 0; k < symbols.size(); ++k) {
        tangent[symbols[k]] = directions[k];
    }
    for (const auto& e : sorted_nodes(std::array{expression})) {
        if (e.is(Op::symbol) || e.is(Op::constant)) {
            continue;
        }
        if (const auto choice = as_choice(e)) {
            const auto first = tangent[choice->first];
            const auto second = tangent[choice->second];
            if (first || second) {
                tangent[e] = if_(choice->condition, first.value_or(Expression(0)), second.value_or(Expression(0)));
            }
            continue;
        }
        Maybe sum;
        for (int i = 0; i < arity(e.op()); ++i) {
            if (const auto inner = tangent[e.arguments()[i]]) {
                if (const auto slope = partial(e, i)) {
                    sum = plus(sum, *slope * *inner);
                }
            }
        }
        tangent[e] = sum;
    }
    return tangent[expression].value_or(Expression(0));
}

}  // namespace libration
