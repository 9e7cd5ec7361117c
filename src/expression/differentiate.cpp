// The chain rule over the graph, backward for gradients and forward for directional derivatives.
#include <libration/expression/differentiate.hpp>

#include "node.hpp"
#include "table_handle.hpp"

#include <libration/text/error.hpp>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace libration {

namespace {

using Slope = std::optional<Expression>;  // nothing: identically zero

// The partial derivative of node e to its argument number i.
Slope partial(const Expression& e, int i) {
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
        case Op::interp: return i == 0 ? next_derivative(e) : std::nullopt;
        default:
            return std::nullopt;  // floor, sign, comparisons and conditions: constant where they are differentiable
    }
}

// min, max and if choose between two expressions; written as one form.
struct Choice {
    Expression condition, first, second;
};

bool is_choice(const Expression& e) { return e.is(Op::select) || e.is(Op::min) || e.is(Op::max); }

std::optional<Choice> as_choice(const Expression& e) {
    const auto a = e.arguments();
    switch (e.op()) {
        case Op::select: return Choice{a[0], a[1], a[2]};
        case Op::min: return Choice{less(a[1], a[0]), a[1], a[0]};
        case Op::max: return Choice{less(a[0], a[1]), a[1], a[0]};
        default: return std::nullopt;
    }
}

Slope plus(const Slope& a, const Expression& b) { return a ? *a + b : b; }

using Adjoints = std::unordered_map<Expression, Slope>;

// The chain rule backward from an expression. A branch that is not taken may be undefined, and 0*infinity is not 0, so
// a sweep ends at the choices: what is below them is swept for each branch alone, inner choices first, so that neither
// nesting nor sharing costs more than the size of the graph.
class ReverseSweep {
  public:
    ReverseSweep(const Expression& expression, std::span<const Expression> symbols)
        : nodes_(written_order(std::array{expression})) {
        for (const auto& s : symbols) {
            active_[s] = true;
        }
        for (const auto& e : nodes_) {
            place_.emplace(e, place_.size());
            for (const auto& a : e.arguments()) {
                active_[e] = active_[e] || active_[a];
            }
            if (is_choice(e) && active_[e]) {
                choices_.push_back(*as_choice(e));
            }
        }
    }

    // Those that depend on the symbols, inner ones first.
    [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }

    // `visit(e, adjoint)` sees every operation that depends on the symbols, users before their arguments;
    // `choose(choice, adjoint, adjoints)` sees the choices, and answers for all that is below them.
    template <class Visit, class Choose>
    Adjoints operator()(const Expression& expression, Visit visit, Choose choose) {
        const auto region = choices_.empty() ? std::vector<Expression>{} : region_of(expression);
        const auto& nodes = choices_.empty() ? nodes_ : region;
        Adjoints adjoint;
        adjoint[expression] = Expression(1);
        for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
            const Expression& e = *it;
            const Slope seed = adjoint[e];
            if (!seed || !active_[e] || e.is(Op::symbol)) {
                continue;
            }
            if (const auto choice = as_choice(e)) {
                choose(*choice, *seed, adjoint);
                continue;
            }
            visit(e, *seed);
            for (int i = 0; i < arity(e.op()); ++i) {
                const Expression& a = e.arguments()[i];
                if (!active_[a]) {
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

  private:
    // The active nodes down to the choices, in the order of all.
    std::vector<Expression> region_of(const Expression& expression) {
        std::unordered_set<Expression> seen;
        std::vector<Expression> found, open{expression};
        while (!open.empty()) {
            const Expression e = open.back();
            open.pop_back();
            if (!active_[e] || !seen.insert(e).second) {
                continue;
            }
            found.push_back(e);
            if (!is_choice(e)) {
                open.insert(open.end(), e.arguments().begin(), e.arguments().end());
            }
        }
        std::ranges::sort(found, {}, [this](const Expression& e) { return place_.at(e); });
        return found;
    }

    std::vector<Expression> nodes_;
    std::unordered_map<Expression, std::size_t> place_;  // among the nodes
    std::unordered_map<Expression, bool> active_;
    std::vector<Choice> choices_;
};

// The derivatives that are not identically zero: number of the symbol and derivative, ascending.
using SparseGradient = std::vector<std::pair<std::size_t, Expression>>;

SparseGradient chosen_gradient(const Choice& choice, const SparseGradient& first, const SparseGradient& second) {
    SparseGradient result;
    auto a = first.begin(), b = second.begin();
    while (a != first.end() || b != second.end()) {
        const auto k = b == second.end() || (a != first.end() && a->first < b->first) ? a->first : b->first;
        const auto from_first = a != first.end() && a->first == k ? (a++)->second : Expression(0);
        const auto from_second = b != second.end() && b->first == k ? (b++)->second : Expression(0);
        result.emplace_back(k, if_(choice.condition, from_first, from_second));
    }
    return result;
}

}  // namespace

std::vector<Expression> gradient(const Expression& expression, std::span<const Expression> symbols) {
    ReverseSweep sweep(expression, symbols);
    std::unordered_map<Expression, SparseGradient> of_branch;
    const auto choose = [&](const Choice& choice, const Expression& seed, Adjoints& adjoint) {
        for (const auto& [k, slope] :
             chosen_gradient(choice, of_branch.at(choice.first), of_branch.at(choice.second))) {
            if (!slope.is_constant(0)) {
                adjoint[symbols[k]] = plus(adjoint[symbols[k]], seed * slope);
            }
        }
    };
    const auto ignore = [](const Expression&, const Expression&) {};
    std::unordered_map<Expression, std::size_t> number;
    for (std::size_t k = 0; k < symbols.size(); ++k) {
        number.emplace(symbols[k], k);
    }
    for (const auto& choice : sweep.choices()) {
        for (const auto& branch : {choice.first, choice.second}) {
            if (of_branch.contains(branch)) {
                continue;
            }
            SparseGradient slopes;
            for (const auto& [e, adjoint] : sweep(branch, ignore, choose)) {
                if (const auto found = number.find(e); found != number.end() && adjoint) {
                    slopes.emplace_back(found->second, *adjoint);
                }
            }
            std::ranges::sort(slopes, {}, &std::pair<std::size_t, Expression>::first);
            of_branch.emplace(branch, std::move(slopes));
        }
    }
    auto adjoint = sweep(expression, ignore, choose);
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

// As a tree and not as a chain: sums of many terms round less.
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

}  // namespace

Expression rounding_size(const Expression& expression, std::span<const Expression> symbols) {
    ReverseSweep sweep(expression, symbols);
    // Of a branch, without and with its last operation: what a choice inside of an expression gives on is rounded like
    // all else.
    std::unordered_map<Expression, std::array<Expression, 2>> of_branch;
    const auto sum_of = [&](const Expression& e, bool last) {
        std::vector<Expression> terms;
        const auto add = [&](const Expression& part, const Expression& seed) {
            const bool exact = part.is(Op::negate) || part.is(Op::abs) || part.is(Op::sign) || part.is(Op::floor);
            if (!exact && (last || part != e)) {
                terms.push_back(seed.is_constant(1) && is_square_sum(part) ? part : abs(seed * part));
            }
        };
        const std::size_t inside = last || !is_choice(e) ? 1 : 0;
        const auto choose = [&](const Choice& choice, const Expression& seed, Adjoints&) {
            terms.push_back(abs(seed) * if_(choice.condition, of_branch.at(choice.first)[inside],
                                            of_branch.at(choice.second)[inside]));
        };
        sweep(e, add, choose);
        return balanced_sum(std::move(terms));
    };
    for (const auto& choice : sweep.choices()) {
        for (const auto& branch : {choice.first, choice.second}) {
            if (!of_branch.contains(branch)) {
                of_branch.emplace(branch, std::array{sum_of(branch, false), sum_of(branch, true)});
            }
        }
    }
    return sum_of(expression, false);
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
    std::unordered_map<Expression, Slope> tangent;
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
        Slope sum;
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
