// Elimination tree, postorder and column counts.
#include "elimination_tree.hpp"

#include <algorithm>
#include <utility>

namespace libration::supernodal {
namespace {

std::vector<std::uint32_t> inverse(std::span<const std::uint32_t> order) {
    std::vector<std::uint32_t> position(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) {
        position[order[k]] = k;
    }
    return position;
}

// Row k of L is reached from the entries of row k of A by walking up; `shortcut` leads past what has been walked.
// [Liu1990]
std::vector<std::uint32_t> parents(const ConstraintGraph& graph, const EliminationTree& tree) {
    const auto n = static_cast<std::uint32_t>(tree.order.size());
    std::vector<std::uint32_t> parent(n, no_column), shortcut(n, no_column);
    for (std::uint32_t k = 0; k < n; ++k) {
        const std::uint32_t row = tree.order[k];
        for (std::size_t e = graph.start[row]; e < graph.start[row + 1]; ++e) {
            std::uint32_t j = tree.position[graph.neighbour[e]];
            while (j < k) {
                const std::uint32_t next = shortcut[j];
                shortcut[j] = k;
                if (next == no_column) {
                    parent[j] = k;
                    break;
                }
                j = next;
            }
        }
    }
    return parent;
}

// Column j is a row of the subtree below each later neighbour i where a leaf of that row's subtree stands; a column is
// counted once for every leaf and taken back where two paths meet. [GilbertNgPeyton1994]
std::vector<std::uint32_t> column_counts(const ConstraintGraph& graph, const EliminationTree& tree) {
    const auto n = static_cast<std::uint32_t>(tree.order.size());
    std::vector<std::uint32_t> first(n), meets(n), previous_leaf(n, no_column), newest(n, 0);
    std::vector<std::int64_t> weight(n, 0);
    std::vector<bool> has_child(n, false);
    for (std::uint32_t j = 0; j < n; ++j) {
        first[j] = meets[j] = j;
    }
    for (std::uint32_t j = 0; j < n; ++j) {
        weight[j] += has_child[j] ? 0 : 1;
        if (tree.parent[j] != no_column) {
            has_child[tree.parent[j]] = true;
            first[tree.parent[j]] = std::min(first[tree.parent[j]], first[j]);
        }
    }
    const auto root = [&meets](std::uint32_t j) {
        std::uint32_t top = j;
        while (meets[top] != top) {
            top = meets[top];
        }
        while (meets[j] != top) {
            j = std::exchange(meets[j], top);
        }
        return top;
    };
    for (std::uint32_t j = 0; j < n; ++j) {
        if (tree.parent[j] != no_column) {
            --weight[tree.parent[j]];
        }
        const std::uint32_t row = tree.order[j];
        for (std::size_t e = graph.start[row]; e < graph.start[row + 1]; ++e) {
            const std::uint32_t i = tree.position[graph.neighbour[e]];
            if (i <= j || first[j] < newest[i]) {
                continue;  // `newest` is one more than the first descendant of the last leaf: j is above that leaf
            }
            newest[i] = first[j] + 1;
            ++weight[j];
            if (previous_leaf[i] != no_column) {
                --weight[root(previous_leaf[i])];
            }
            previous_leaf[i] = j;
        }
        if (tree.parent[j] != no_column) {
            meets[j] = tree.parent[j];
        }
    }
    std::vector<std::uint32_t> count(n);
    for (std::uint32_t j = 0; j < n; ++j) {
        if (tree.parent[j] != no_column) {
            weight[tree.parent[j]] += weight[j];
        }
        count[j] = static_cast<std::uint32_t>(weight[j]);
    }
    return count;
}

}  // namespace

std::vector<std::uint32_t> postorder(std::span<const std::uint32_t> parent) {
    const auto n = static_cast<std::uint32_t>(parent.size());
    std::vector<std::uint32_t> child(n, no_column), sibling(n, no_column), path, result;
    std::uint32_t root = no_column;
    for (std::uint32_t j = n; j-- > 0;) {
        std::uint32_t& head = parent[j] == no_column ? root : child[parent[j]];
        sibling[j] = std::exchange(head, j);
    }
    result.reserve(n);
    for (; root != no_column; root = sibling[root]) {
        path.push_back(root);
        while (!path.empty()) {
            const std::uint32_t j = path.back();
            if (child[j] != no_column) {
                path.push_back(child[j]);
                child[j] = sibling[child[j]];
            } else {
                result.push_back(j);
                path.pop_back();
            }
        }
    }
    return result;
}

EliminationTree elimination_tree(const ConstraintGraph& graph, std::span<const std::uint32_t> order) {
    EliminationTree tree;
    tree.order.assign(order.begin(), order.end());
    tree.position = inverse(order);
    const auto parent = parents(graph, tree);
    const auto refined = postorder(parent);
    const auto place = inverse(refined);
    tree.parent.resize(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) {
        tree.order[k] = order[refined[k]];
        tree.parent[k] = parent[refined[k]] == no_column ? no_column : place[parent[refined[k]]];
    }
    tree.position = inverse(tree.order);
    tree.count = column_counts(graph, tree);
    return tree;
}

}  // namespace libration::supernodal
