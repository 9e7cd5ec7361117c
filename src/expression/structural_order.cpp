// Orders of expressions that depend on nothing but the expressions.
#include "node.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_set>
#include <utility>

namespace libration {

namespace {

// A name, and the number behind '%' that sets fresh symbols apart: it may be longer in a process that has made more of
// them.
std::pair<std::string_view, std::uint64_t> stem_and_number(std::string_view text) {
    const auto mark = text.find('%');
    std::uint64_t number = 0;
    if (mark != std::string_view::npos) {
        std::from_chars(text.data() + mark + 1, text.data() + text.size(), number);
    }
    return {text.substr(0, mark), number};
}

bool text_precedes(std::string_view a, std::string_view b) {
    const auto [stem_a, number_a] = stem_and_number(a);
    const auto [stem_b, number_b] = stem_and_number(b);
    if (stem_a != stem_b) {  // x2 before x10
        return stem_a.size() != stem_b.size() ? stem_a.size() < stem_b.size() : stem_a < stem_b;
    }
    return number_a < number_b;
}

}  // namespace

bool precedes(const Expression& first, const Expression& second) {
    const ExpressionNode* a = first.node();
    const ExpressionNode* b = second.node();
    while (a != b) {
        if (a->depth != b->depth) {
            return a->depth > b->depth;
        }
        if (a->op != b->op) {
            return a->op < b->op;
        }
        const int count = arity(a->op);
        int k = 0;
        while (k < count && a->arguments[k] == b->arguments[k]) {
            ++k;
        }
        if (k == count) {
            return text_precedes(a->text, b->text);
        }
        const auto* const next = a->arguments[k].node();
        b = b->arguments[k].node();
        a = next;
    }
    return false;
}

std::vector<Expression> written_order(std::span<const Expression> expressions) {
    return written_order(expressions, std::unordered_map<Expression, std::string>{});
}

std::vector<Expression> written_order(std::span<const Expression> expressions,
                                      const std::unordered_map<Expression, std::string>& leaves) {
    std::unordered_set<const ExpressionNode*> seen;
    std::vector<Expression> found;
    struct Open {
        Expression expression;
        bool done = false;  // with its arguments
    };
    std::vector<Open> open;
    for (auto root = expressions.rbegin(); root != expressions.rend(); ++root) {
        open.push_back({*root});
    }
    while (!open.empty()) {
        const auto [e, done] = open.back();
        if (done) {
            open.pop_back();
            found.push_back(e);
            continue;
        }
        if (!seen.insert(e.node()).second) {
            open.pop_back();
            continue;
        }
        open.back().done = true;
        if (leaves.contains(e)) {
            continue;
        }
        const auto arguments = e.arguments();
        for (auto a = arguments.rbegin(); a != arguments.rend(); ++a) {
            open.push_back({*a});
        }
    }
    return found;
}

}  // namespace libration
