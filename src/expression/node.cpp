// Interning: equal nodes are one node, released when the last expression that uses it goes.
#include "node.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_set>
#include <utility>

namespace libration {

namespace {

struct Content {
    Op op;
    std::string_view text;
    std::array<const ExpressionNode*, 3> arguments;
    friend bool operator==(const Content&, const Content&) = default;
};

Content content_of(const ExpressionNode& node) {
    return {node.op, node.text, {node.arguments[0].node(), node.arguments[1].node(), node.arguments[2].node()}};
}

std::size_t hash_of(const Content& content) {
    std::size_t h =
        std::hash<std::string_view>{}(content.text) + static_cast<std::size_t>(content.op) * 0x9E3779B97F4A7C15ULL;
    for (const ExpressionNode* argument : content.arguments) {
        h = (h ^ std::hash<const void*>{}(argument)) * 0x9E3779B97F4A7C15ULL;
        h ^= h >> 29U;
    }
    return h;
}

struct Hash {
    using is_transparent = void;
    std::size_t operator()(const ExpressionNode* node) const { return hash_of(content_of(*node)); }
    std::size_t operator()(const Content& content) const { return hash_of(content); }
};

struct Equal {
    using is_transparent = void;
    bool operator()(const ExpressionNode* a, const ExpressionNode* b) const { return content_of(*a) == content_of(*b); }
    bool operator()(const Content& a, const ExpressionNode* b) const { return a == content_of(*b); }
    bool operator()(const ExpressionNode* a, const Content& b) const { return content_of(*a) == b; }
};

struct NodeTable {
    std::mutex mutex;
    std::unordered_set<ExpressionNode*, Hash, Equal> nodes;
    std::uint64_t next_serial = 1;
};

// Never destroyed: expressions with static storage may outlive any order of destruction.
NodeTable& table() {
    static auto* const instance = new NodeTable;
    return *instance;
}

// Released nodes, destroyed one after another: recursion would be as deep as the expression. They form a list of their
// own, because memory that runs out must not stop memory from being given back.
thread_local ExpressionNode* released = nullptr;
thread_local bool releasing = false;

void release(ExpressionNode* node) {
    if (node->serial == 0) {  // never came into the table, whose lock may be held
        delete node;
        return;
    }
    {
        const std::lock_guard lock(table().mutex);
        // A dying node may already have been replaced by an equal one.
        if (const auto found = table().nodes.find(node); found != table().nodes.end() && *found == node) {
            table().nodes.erase(found);
        }
    }
    node->next_released = released;
    released = node;
    if (releasing) {
        return;
    }
    releasing = true;
    while (released != nullptr) {
        delete std::exchange(released, released->next_released);  // its arguments come here in their turn
    }
    releasing = false;
}

bool is_total(const ExpressionNode& node) {
    const auto& a = node.arguments;
    for (int i = 0; i < arity(node.op); ++i) {
        if (!a[i].node()->total) {
            return false;
        }
    }
    const auto nonzero = [](const Expression& e) { return rational_value(e) && rational_value(e)->numerator != 0; };
    switch (node.op) {
        case Op::sqrt:
        case Op::log:
        case Op::tan:
        case Op::asin:
        case Op::acos:
        case Op::acosh:
        case Op::atanh:
        case Op::floors: return false;
        case Op::divide: return nonzero(a[1]);
        case Op::power:
            return rational_value(a[1]) && rational_value(a[1])->denominator == 1 &&
                   rational_value(a[1])->numerator >= 0;
        default: return true;
    }
}

}  // namespace

Expression intern(Op op, std::string text, std::span<const Expression> arguments) {
    Content content{op, text, {nullptr, nullptr, nullptr}};
    std::array<const Expression*, 3> ordered{};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        ordered[i] = &arguments[i];
    }
    // Sums and products commute exactly, so both orders are one node.
    if ((op == Op::add || op == Op::multiply) && precedes(*ordered[1], *ordered[0])) {
        std::swap(ordered[0], ordered[1]);
    }
    std::uint32_t depth = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        content.arguments[i] = ordered[i]->node();
        depth = std::max(depth, ordered[i]->node()->depth + 1);
    }
    std::shared_ptr<ExpressionNode> node;  // outlives the lock, which its release needs when memory runs out below
    const std::lock_guard lock(table().mutex);
    auto& nodes = table().nodes;
    if (const auto found = nodes.find(content); found != nodes.end()) {
        if (auto alive = (*found)->weak_from_this().lock()) {
            return Expression(std::shared_ptr<const ExpressionNode>(std::move(alive)));
        }
        nodes.erase(found);
    }
    node.reset(new ExpressionNode, release);
    node->op = op;
    node->text = std::move(text);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        node->arguments[i] = *ordered[i];
    }
    node->depth = depth;
    node->total = is_total(*node);
    if (op == Op::constant && node->text != "pi") {
        node->value = read_rational(node->text);
    }
    nodes.insert(node.get());
    node->serial = table().next_serial++;
    return Expression(std::shared_ptr<const ExpressionNode>(node));
}

}  // namespace libration
