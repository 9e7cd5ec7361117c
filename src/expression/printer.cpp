// Text that parses back to the same node, with as few parentheses as is simple.
#include "printer.hpp"

#include "node.hpp"

#include "shared_text.hpp"
#include "table_handle.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace libration {

namespace {

// How tight a text binds; the order of the grammar in parse.hpp. A sign counts as loose as a comparison, so that it
// stands in parentheses inside of sums and products.
enum class Tightness { disjunction, conjunction, inversion, sign, comparison = sign, sum, product, power, atom };

Tightness tightness(const Expression& e) {
    switch (e.op()) {
        case Op::logical_or: return Tightness::disjunction;
        case Op::logical_and: return Tightness::conjunction;
        case Op::logical_not: return Tightness::inversion;
        case Op::less:
        case Op::less_equal:
        case Op::equal: return Tightness::comparison;
        case Op::negate: return Tightness::sign;
        case Op::add:
        case Op::subtract: return Tightness::sum;
        case Op::multiply:
        case Op::divide: return Tightness::product;
        case Op::power: return Tightness::power;
        case Op::constant:
            return e.text().starts_with('-')                 ? Tightness::sign
                   : e.text().find('/') != std::string::npos ? Tightness::product
                                                             : Tightness::atom;
        default: return Tightness::atom;
    }
}

// One piece of the text of a node: marks, or an argument.
struct Piece {
    std::string_view mark;
    const Expression* argument = nullptr;
    Tightness needed = Tightness::disjunction;
};

struct Pieces {
    std::array<Piece, 8> items;
    std::size_t count = 0;
    void mark(std::string_view text) { items[count++] = {text}; }
    void argument(const Expression& e, Tightness needed) { items[count++] = {{}, &e, needed}; }
};

// Both orders of a sum or a product are one node, so chains are written to the left, where they need no parentheses.
bool swaps(const Expression& e) {
    if (!e.is(Op::add) && !e.is(Op::multiply)) {
        return false;
    }
    const auto& a = e.arguments()[0];
    const auto& b = e.arguments()[1];
    const auto own = tightness(e);
    const bool first_chains = tightness(a) == own && !a.is(Op::constant);
    const bool second_chains = tightness(b) == own && !b.is(Op::constant);
    if (first_chains != second_chains) {
        return second_chains;
    }
    if (first_chains) {
        return b.node()->depth > a.node()->depth;
    }
    // 2 * x, but x + 2
    return e.is(Op::multiply) ? b.is(Op::constant) && !a.is(Op::constant) : a.is(Op::constant) && !b.is(Op::constant);
}

Pieces pieces_of(const Expression& e) {
    Pieces pieces;
    const auto a = e.arguments();
    const auto infix = [&](Tightness left, std::string_view mark, Tightness right) {
        const bool turned = swaps(e);
        pieces.argument(a[turned ? 1 : 0], left);
        pieces.mark(mark);
        pieces.argument(a[turned ? 0 : 1], right);
    };
    using enum Tightness;
    switch (e.op()) {
        case Op::constant:
        case Op::symbol: pieces.mark(e.text()); break;
        case Op::negate:
            pieces.mark("-");
            pieces.argument(a[0], power);
            break;
        case Op::logical_not:
            pieces.mark("not ");
            pieces.argument(a[0], atom);
            break;
        case Op::add: infix(sum, " + ", product); break;
        case Op::subtract: infix(sum, " - ", product); break;
        case Op::multiply: infix(product, " * ", power); break;
        case Op::divide: infix(product, " / ", power); break;
        case Op::power: infix(atom, " ^ ", atom); break;
        case Op::less: infix(sum, " < ", sum); break;
        case Op::less_equal: infix(sum, " <= ", sum); break;
        case Op::equal: infix(sum, " == ", sum); break;
        case Op::logical_and: infix(conjunction, " and ", inversion); break;
        case Op::logical_or: infix(disjunction, " or ", conjunction); break;
        case Op::interp:
            pieces.mark("interp(");
            pieces.mark(table_name(a[1]));
            pieces.mark(", ");
            pieces.argument(a[0], disjunction);
            if (!a[2].is_constant(0)) {
                pieces.mark(", ");
                pieces.mark(a[2].text());
            }
            pieces.mark(")");
            break;
        default:
            pieces.mark(name(e.op()));
            pieces.mark("(");
            for (std::size_t i = 0; i < a.size(); ++i) {
                if (i > 0) {
                    pieces.mark(", ");
                }
                pieces.argument(a[i], disjunction);
            }
            pieces.mark(")");
    }
    return pieces;
}

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    return a > most - b ? most : a + b;
}

}  // namespace

Printer::Printer(std::span<const Expression> expressions, const std::unordered_map<Expression, std::string>& leaves)
    : nodes_(written_order(expressions, leaves)), names_(leaves) {}

const Printer::Extent& Printer::measure(const Expression& e) {
    Extent extent;
    const auto pieces = pieces_of(e);
    for (std::size_t k = 0; k < pieces.count; ++k) {
        const auto& piece = pieces.items[k];
        if (piece.argument == nullptr) {
            extent.length = saturated_sum(extent.length, piece.mark.size());
            continue;
        }
        if (const auto* const name = name_of(*piece.argument)) {
            extent.length = saturated_sum(extent.length, name->size());
            extent.nesting = std::max<std::uint64_t>(extent.nesting, 1);
            continue;
        }
        const auto& inner = extents_.at(*piece.argument);
        const bool enclosed = tightness(*piece.argument) < piece.needed;
        extent.length = saturated_sum(extent.length, saturated_sum(inner.length, enclosed ? 2 : 0));
        // The parser counts parentheses, signs, powers and `not`; a chain to the left is free.
        const bool chained = k == 0 && !enclosed;
        extent.nesting = std::max(extent.nesting, inner.nesting + (chained ? 0 : 1));
    }
    return extents_[e] = extent;
}

void Printer::name(const Expression& e, std::string name) { names_.emplace(e, std::move(name)); }

const std::string* Printer::name_of(const Expression& e) const {
    const auto found = names_.find(e);
    return found == names_.end() ? nullptr : &found->second;
}

std::string Printer::write(const Expression& e) const {
    std::string text;
    std::vector<Piece> open;  // what comes next is last
    const auto expand = [&](const Expression& node) {
        const auto pieces = pieces_of(node);
        open.insert(open.end(), std::make_reverse_iterator(pieces.items.begin() + pieces.count),
                    std::make_reverse_iterator(pieces.items.begin()));
    };
    expand(e);
    while (!open.empty()) {
        const auto piece = open.back();
        open.pop_back();
        if (piece.argument == nullptr) {
            text += piece.mark;
        } else if (const auto* const name = name_of(*piece.argument)) {
            text += *name;
        } else if (tightness(*piece.argument) < piece.needed) {
            text += '(';
            open.push_back({")"});
            expand(*piece.argument);
        } else {
            expand(*piece.argument);
        }
    }
    return text;
}

std::uint64_t text_length(const Expression& expression) {
    Printer printer(std::array{expression});
    for (const auto& node : printer.nodes()) {
        printer.measure(node);
    }
    return printer.measure(expression).length;
}

std::string to_string(const Expression& expression) {
    constexpr std::uint64_t longest = 10'000'000;
    if (expression.arguments().empty()) {
        return expression.text();
    }
    const Printer printer(std::array{expression});
    if (printer.nodes().size() > 20 && text_length(expression) > longest) {
        throw InputError(fmt::format("the text of an expression of {} operations would be longer than {} characters,"
                                     " because parts of it are used many times; introduce names for its parts",
                                     printer.nodes().size(), longest));
    }
    return printer.write(expression);
}

}  // namespace libration
