// Sums as signed terms, products as a coefficient and factors above and below the line, everything else as its
// notation.
#include "latex_product.hpp"
#include "node.hpp"
#include "table_handle.hpp"

#include <libration/expression/latex.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace libration {

namespace {

constexpr int deepest = 60;  // of parentheses, fractions and functions in each other

// The number of operations if shared ones are counted each time, at most `longest_latex` + 1.
std::size_t tree_size(const Expression& expression) {
    std::unordered_map<const ExpressionNode*, std::size_t> sizes;
    for (const auto& e : sorted_nodes(std::array{expression})) {
        std::size_t size = 1;
        for (const auto& a : e.arguments()) {
            size = std::min(size + sizes.at(a.node()), longest_latex + 1);
        }
        sizes.emplace(e.node(), size);
    }
    return sizes.at(expression.node());
}

class Writer {
  public:
    LatexText write(const Expression& e) {
        if (const auto known = done_.find(e.node()); known != done_.end()) {
            return known->second;
        }
        if (depth_ > deepest) {
            return {"\\ldots", LatexKind::atom};
        }
        ++depth_;
        auto text = fresh(e);
        --depth_;
        return done_.emplace(e.node(), std::move(text)).first->second;
    }

  private:
    LatexText fresh(const Expression& e) {
        const auto a = e.arguments();
        switch (e.op()) {
            case Op::constant: return number_text(e);
            case Op::symbol: return symbol_text(e);
            case Op::subtract:
                if (is_remainder(e)) {
                    return remainder(e);
                }
                [[fallthrough]];
            case Op::negate:
            case Op::add: return sum(e);
            case Op::mad: return sum(verbatim(Op::add, std::array{a[0] * a[1], a[2]}));
            case Op::multiply:
            case Op::divide:
            case Op::sqrt:
            case Op::power: return product_text(product(e));
            case Op::cbrt: return {"\\sqrt[3]{" + write(a[0]).text + '}', LatexKind::atom};
            case Op::hypot: return {"\\sqrt{" + write(a[0] * a[0] + a[1] * a[1]).text + '}', LatexKind::atom};
            case Op::exp: return exponential_text(write(a[0]));
            case Op::abs: return {fences("\\lvert ", write(a[0]).text, " \\rvert"), LatexKind::atom};
            case Op::floor: return {fences("\\lfloor ", write(a[0]).text, " \\rfloor"), LatexKind::atom};
            case Op::less: return relation(e, " \\lt ");
            case Op::less_equal: return relation(e, " \\le ");
            case Op::equal: return relation(e, " = ");
            case Op::logical_and: return relation(e, " \\land ");
            case Op::logical_or: return relation(e, " \\lor ");
            case Op::logical_not: return negation(a[0]);
            case Op::select: return cases(e);
            case Op::min:
            case Op::max:
            case Op::atan2:
            case Op::floors: return call(e);
            case Op::interp: return table_function(e);
            default: return function_text(function_name(e.op()), write(a[0]));
        }
    }

    LatexText remainder(const Expression& e) {
        const auto factors = e.arguments()[1].arguments();
        const auto side = [&](const Expression& part) {
            const auto text = write(part);
            return text.kind == LatexKind::atom || text.kind == LatexKind::number ? text.text : parentheses(text.text);
        };
        return {side(e.arguments()[0]) + " \\bmod " + side(factors[factors[0].is(Op::floor) ? 1 : 0]), LatexKind::sum};
    }

    // profile(t), profile'(t), ...
    LatexText table_function(const Expression& e) {
        const auto a = e.arguments();
        const auto& order = rational_value(a[2]);
        const auto primes = order && order->numerator > 0 && order->numerator <= 4 ? order->numerator : 0;
        return {symbol_latex(table_name(a[1])) + std::string(static_cast<std::size_t>(primes), '\'') +
                    parentheses(write(a[0]).text),
                LatexKind::atom};
    }

    // min(a, min(b, c)) is one list.
    LatexText call(const Expression& e) {
        std::vector<Expression> open{e}, listed;
        while (!open.empty()) {
            const auto last = open.back();
            open.pop_back();
            if (last == e || (last.is(e.op()) && (e.is(Op::min) || e.is(Op::max)))) {
                open.push_back(last.arguments()[1]);
                open.push_back(last.arguments()[0]);
            } else {
                listed.push_back(last);
            }
        }
        std::string inside;
        for (const auto& argument : listed) {
            inside += (inside.empty() ? "" : ", ") + write(argument).text;
        }
        return {function_name(e.op()) + parentheses(inside), LatexKind::atom};
    }

    LatexText relation(const Expression& e, const std::string& sign) {
        const auto side = [&](const Expression& a) {
            const auto text = write(a);
            return text.kind == LatexKind::relation ? parentheses(text.text) : text.text;
        };
        // Comparisons bind tighter than "and", "or".
        const bool logical = e.is(Op::logical_and) || e.is(Op::logical_or);
        const auto part = [&](const Expression& a) {
            const bool comparison = a.is(Op::less) || a.is(Op::less_equal) || a.is(Op::equal) || a.is(e.op());
            return logical && comparison ? write(a).text : side(a);
        };
        return {part(e.arguments()[0]) + sign + part(e.arguments()[1]), LatexKind::relation};
    }

    LatexText negation(const Expression& condition) {
        switch (condition.op()) {
            case Op::equal: return relation(condition, " \\ne ");
            case Op::less: return relation(condition, " \\ge ");
            case Op::less_equal: return relation(condition, " \\gt ");
            default: return {"\\lnot " + parentheses(write(condition).text), LatexKind::atom};
        }
    }

    LatexText cases(Expression e) {
        std::string lines;
        while (e.is(Op::select)) {
            const auto a = e.arguments();
            lines += write(a[1]).text + " & \\text{if } " + write(a[0]).text + " \\\\ ";
            e = Expression(a[2]);
        }
        return {"\\begin{cases} " + lines + write(e).text + " & \\text{otherwise} \\end{cases}", LatexKind::product};
    }

    struct Scaled {
        Expression e;
        Rational scale;
    };

    // The parts of a sum, one level down. A number in front of a sum goes into it where no fraction remains: (2x +
    // 2y)/2.
    std::optional<std::vector<Scaled>> parts_of(const Expression& e, const Rational& scale) {
        const auto a = e.arguments();
        const Rational opposite{-scale.numerator, scale.denominator};
        if (e.is(Op::negate)) {
            return std::vector<Scaled>{{a[0], opposite}};
        }
        if (e.is(Op::add) || (e.is(Op::subtract) && !is_remainder(e))) {
            return std::vector<Scaled>{{a[0], scale}, {a[1], e.is(Op::add) ? scale : opposite}};
        }
        if (!e.is(Op::multiply) && !e.is(Op::divide)) {
            return std::nullopt;
        }
        const bool first = e.is(Op::multiply) && rational_value(a[0]);
        const auto inner = a[first ? 1 : 0], number = a[first ? 0 : 1];
        if (!rational_value(number) || !(inner.is(Op::add) || inner.is(Op::subtract)) || is_remainder(inner)) {
            return std::nullopt;
        }
        const auto total = e.is(Op::multiply) ? scale * *rational_value(number) : scale / *rational_value(number);
        return total && total->denominator != 1 && stays_whole(inner, *total)
                   ? std::optional(std::vector<Scaled>{{inner, *total}})
                   : std::nullopt;
    }

    bool stays_whole(const Expression& e, const Rational& scale) {
        std::vector<Scaled> open{{e, scale}};
        while (!open.empty()) {
            const auto [part, by] = open.back();
            open.pop_back();
            if (part.is(Op::negate) || part.is(Op::add) || part.is(Op::subtract)) {
                for (const auto& argument : part.arguments()) {
                    open.push_back({argument, by});
                }
                continue;
            }
            auto term = product(part);
            term.scale(by);
            if (term.coefficient.denominator != 1 || term.divisor.numerator != 1) {
                return false;
            }
        }
        return true;
    }

    // Equal terms are collected, positive ones come first.
    LatexText sum(const Expression& e) {
        struct Term {
            LatexProduct product;
            std::string key, unsigned_text;  // without and with its coefficient
        };
        std::vector<Term> terms;
        std::unordered_map<std::string, std::size_t> known;
        std::vector<Scaled> open{{e, {1, 1}}};
        while (!open.empty()) {
            const auto [part, scale] = open.back();
            open.pop_back();
            if (const auto parts = parts_of(part, scale)) {
                open.insert(open.end(), parts->rbegin(), parts->rend());
                continue;
            }
            auto term = product(part);
            term.scale(scale);
            const auto key = term.without_coefficient();
            const auto found = known.find(key);
            if (found != known.end() && terms[found->second].product.absorb(term)) {
                continue;
            }
            known.emplace(key, terms.size());
            terms.push_back({std::move(term), key, {}});
        }
        std::erase_if(terms, [](const Term& term) { return term.product.vanishes(); });
        for (auto& term : terms) {
            term.unsigned_text = unsigned_product_text(term.product).text;
        }
        std::ranges::stable_sort(terms, [](const Term& a, const Term& b) {
            const auto rank = [](const Term& t) {
                return 2 * (t.product.negative ? 1 : 0) + (t.product.is_number() ? 1 : 0);
            };
            return rank(a) != rank(b) ? rank(a) < rank(b) : natural_less(a.key, b.key);
        });
        if (terms.size() == 1) {
            return product_text(terms[0].product);
        }
        std::string text;
        for (const auto& term : terms) {
            const bool negative = term.product.negative;
            text += (text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ")) + term.unsigned_text;
        }
        return {terms.empty() ? "0" : text, terms.empty() ? LatexKind::number : LatexKind::sum};
    }

    LatexProduct product(const Expression& e) {
        LatexProduct result;
        struct Part {
            Expression e;
            Rational exponent;
        };
        std::vector<Part> open{{e, {1, 1}}};
        while (!open.empty()) {
            const auto [part, exponent] = open.back();
            open.pop_back();
            const auto a = part.arguments();
            const bool whole = exponent.denominator == 1;
            const Rational inverse{-exponent.numerator, exponent.denominator};
            if (part.is(Op::negate) && whole && std::abs(exponent.numerator) == 1) {
                result.negative = !result.negative;
                open.push_back({a[0], exponent});
            } else if (part.is(Op::multiply) && whole) {
                open.push_back({a[1], exponent});
                open.push_back({a[0], exponent});
            } else if (part.is(Op::divide) && whole) {
                open.push_back({a[1], inverse});
                open.push_back({a[0], exponent});
            } else if (const auto merged = power_of(part, exponent)) {
                open.push_back({a[0], *merged});
            } else if (!(whole && result.scale(part, exponent.numerator))) {
                result.multiply(part.is(Op::power) && !rational_value(a[1]) ? general_power(part) : write(part),
                                exponent);
            }
        }
        return result;
    }

    // (b^m)^n = b^(mn) for integers and where b^m is a root, and for lengths in any case.
    static std::optional<Rational> power_of(const Expression& part, const Rational& outer) {
        const bool root = part.is(Op::sqrt);
        if (!root && !(part.is(Op::power) && rational_value(part.arguments()[1]))) {
            return std::nullopt;
        }
        const auto base = part.arguments()[0];
        const Rational inner = root ? Rational{1, 2} : *rational_value(part.arguments()[1]);
        const bool length = is_length(base) || (base.is(Op::power) && is_length(base.arguments()[0]));
        const bool whole = outer.denominator == 1 && (root || inner.denominator == 1 || std::abs(outer.numerator) == 1);
        if (!length && !whole) {
            return std::nullopt;
        }
        return inner * outer;
    }

    LatexText general_power(const Expression& e) {
        const auto base = write(e.arguments()[0]);
        return {powered(base, write(e.arguments()[1]).text), LatexKind::power};
    }

    std::unordered_map<const ExpressionNode*, LatexText> done_;
    int depth_ = 0;
};

}  // namespace

std::string to_latex(const Expression& expression) {
    return tree_size(expression) > longest_latex ? "\\ldots" : Writer().write(expression).text;
}

}  // namespace libration
