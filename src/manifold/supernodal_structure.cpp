// From a graph and an order to panels: supernodes, their merging, their rows, and room for their updates.
#include "supernodal_structure.hpp"

#include "elimination_tree.hpp"

#include <algorithm>
#include <cassert>

namespace libration {

namespace {

using supernodal::no_column;

// Merging a child into its parent stores zeros but saves the passing on of an update: worthwhile while the result is
// narrow or the zeros are few [AshcraftGrimes1989]. Of ten settings measured on a square net of 1e6 rods this one was
// the fastest and needed the fewest numbers; the slowest took a fifth longer.
struct MergeLimit {
    std::size_t columns;
    double zeros;  // share of the merged panel
};
constexpr MergeLimit merge_limits[] = {{4, 1.0}, {16, 0.3}, {48, 0.1}, {no_column, 0.05}};

}  // namespace

class SupernodalAnalysis {
  public:
    SupernodalAnalysis(const ConstraintGraph& graph, std::span<const std::uint32_t> order)
        : graph_(&graph), tree_(supernodal::elimination_tree(graph, order)) {}

    void fill(SupernodalStructure& result) {
        find_supernodes();
        merge();
        number(result);
        find_rows(result);
        place_values(result);
        place_updates(result);
    }

  private:
    // A supernode before its columns are numbered anew.
    struct Draft {
        std::size_t columns = 0, rows = 0;  // rows: own columns included
        std::size_t zeros = 0;              // stored for the sake of merging
        std::uint32_t parent = no_column;
        std::uint32_t merged_into = no_column;
    };

    // Neighbouring columns belong together if the second is the parent of the first and has the same rows but one.
    void find_supernodes() {
        const auto n = tree_.order.size();
        draft_of_.resize(n);
        for (std::size_t j = 0; j < n; ++j) {
            const bool joins = j > 0 && tree_.parent[j - 1] == j && tree_.count[j - 1] == tree_.count[j] + 1;
            if (!joins) {
                drafts_.push_back({.columns = 0, .rows = tree_.count[j]});
            }
            ++drafts_.back().columns;
            draft_of_[j] = static_cast<std::uint32_t>(drafts_.size() - 1);
        }
        for (std::size_t j = 0; j < n; ++j) {
            const std::uint32_t above = tree_.parent[j];
            if (above != no_column && draft_of_[above] != draft_of_[j]) {
                drafts_[draft_of_[j]].parent = draft_of_[above];
            }
        }
    }

    static std::size_t zeros_of_merging(const Draft& child, const Draft& parent) {
        return child.columns * (parent.rows + child.columns - child.rows);
    }

    static bool worthwhile(const Draft& child, const Draft& parent) {
        const std::size_t columns = child.columns + parent.columns;
        const std::size_t size = columns * (parent.rows + child.columns) - columns * (columns - 1) / 2;
        const double zeros = static_cast<double>(child.zeros + parent.zeros + zeros_of_merging(child, parent)) /
                             static_cast<double>(size);
        return std::any_of(std::begin(merge_limits), std::end(merge_limits),
                           [&](const MergeLimit& limit) { return columns <= limit.columns && zeros <= limit.zeros; });
    }

    // From the leaves up: each supernode takes in the children that cost least first.
    void merge() {
        std::vector<std::vector<std::uint32_t>> children(drafts_.size());
        for (std::uint32_t s = 0; s < drafts_.size(); ++s) {
            auto& parent = drafts_[s];
            auto& candidates = children[s];
            std::stable_sort(candidates.begin(), candidates.end(), [&](std::uint32_t a, std::uint32_t b) {
                return zeros_of_merging(drafts_[a], parent) < zeros_of_merging(drafts_[b], parent);
            });
            for (const std::uint32_t c : candidates) {
                auto& child = drafts_[c];
                if (worthwhile(child, parent)) {
                    parent.zeros += child.zeros + zeros_of_merging(child, parent);
                    parent.columns += child.columns;
                    parent.rows += child.columns;
                    child.merged_into = s;
                }
            }
            candidates = {};
            if (parent.parent != no_column) {
                children[parent.parent].push_back(s);
            }
        }
        survivor_.resize(drafts_.size());
        for (std::uint32_t s = static_cast<std::uint32_t>(drafts_.size()); s-- > 0;) {
            survivor_[s] = drafts_[s].merged_into == no_column ? s : survivor_[drafts_[s].merged_into];
        }
    }

    [[nodiscard]] std::uint32_t survivor(std::uint32_t s) const { return s == no_column ? no_column : survivor_[s]; }

    // Numbers the supernodes so that children come before parents and the stacks of updates stay low: first the child
    // whose subtree needs most room beyond the update that it leaves. [Liu1986]
    void number(SupernodalStructure& result) {
        std::vector<std::uint32_t> compact(drafts_.size(), no_column), live;
        for (std::uint32_t s = 0; s < drafts_.size(); ++s) {
            if (drafts_[s].merged_into == no_column) {
                live.push_back(s);
            }
        }
        std::vector<std::vector<std::uint32_t>> children(drafts_.size());
        std::vector<std::size_t> peak(drafts_.size(), 0), left(drafts_.size(), 0);
        for (const std::uint32_t s : live) {
            const auto more_first = [&](std::uint32_t a, std::uint32_t b) {
                return peak[a] - left[a] > peak[b] - left[b];
            };
            std::stable_sort(children[s].begin(), children[s].end(), more_first);
            std::size_t held = 0;
            for (const std::uint32_t c : children[s]) {
                peak[s] = std::max(peak[s], held + peak[c]);
                held += left[c];
            }
            left[s] = triangle_strip(strips(drafts_[s].rows - drafts_[s].columns));
            peak[s] = std::max(peak[s], held + left[s]);
            if (const std::uint32_t above = survivor(drafts_[s].parent); above != no_column) {
                children[above].push_back(s);
            }
        }
        // Depth first, siblings as sorted; the list is built from its end.
        std::vector<std::uint32_t> sequence, path;
        for (const std::uint32_t s : live) {
            if (survivor(drafts_[s].parent) == no_column) {
                path.push_back(s);
            }
        }
        while (!path.empty()) {
            const std::uint32_t s = path.back();
            path.pop_back();
            sequence.push_back(s);
            path.insert(path.end(), children[s].begin(), children[s].end());
        }
        std::reverse(sequence.begin(), sequence.end());
        for (std::uint32_t k = 0; k < sequence.size(); ++k) {
            compact[sequence[k]] = k;
        }
        result.nodes_.resize(sequence.size());
        parent_.resize(sequence.size());
        std::uint32_t column = 0;
        for (std::uint32_t k = 0; k < sequence.size(); ++k) {
            const auto& draft = drafts_[sequence[k]];
            auto& node = result.nodes_[k];
            node.first = column;
            node.columns = static_cast<std::uint32_t>(draft.columns);
            node.below = static_cast<std::uint32_t>(draft.rows - draft.columns);
            node.child_begin = static_cast<std::uint32_t>(result.children_.size());
            for (const std::uint32_t c : children[sequence[k]]) {
                result.children_.push_back(compact[c]);
            }
            node.child_end = static_cast<std::uint32_t>(result.children_.size());
            const std::uint32_t above = survivor(draft.parent);
            parent_[k] = above == no_column ? no_column : compact[above];
            column += node.columns;
        }
        number_columns(result, compact);
    }

    // Within a supernode the old order stays: descendants come before ancestors.
    void number_columns(SupernodalStructure& result, const std::vector<std::uint32_t>& compact) {
        const auto n = static_cast<std::uint32_t>(tree_.order.size());
        std::vector<std::uint32_t> next(result.nodes_.size());
        std::transform(result.nodes_.begin(), result.nodes_.end(), next.begin(), [](const auto& s) { return s.first; });
        result.order_.resize(n);
        result.position_.resize(n);
        result.node_of_.resize(n);
        for (std::uint32_t j = 0; j < n; ++j) {
            const std::uint32_t s = compact[survivor(draft_of_[j])];
            const std::uint32_t column = next[s]++;
            result.order_[column] = tree_.order[j];
            result.position_[tree_.order[j]] = column;
            result.node_of_[column] = s;
        }
    }

    // The rows below a supernode: those of its children and of its columns in A.
    void find_rows(SupernodalStructure& result) const {
        const auto& graph = *graph_;
        std::vector<std::uint32_t> seen(result.rows(), no_column);
        std::size_t total = 0;
        for (auto& node : result.nodes_) {
            node.rows = total;
            total += node.below;
        }
        result.rows_.reserve(total);
        result.in_parent_.resize(total);
        for (std::uint32_t s = 0; s < result.nodes_.size(); ++s) {
            const auto& node = result.nodes_[s];
            const std::uint32_t end = node.first + node.columns;
            const auto meet = [&](std::uint32_t row) {
                if (row >= end && seen[row] != s) {
                    seen[row] = s;
                    result.rows_.push_back(row);
                }
            };
            for (const std::uint32_t c : result.children(node)) {
                const auto& child = result.nodes_[c];
                for (std::size_t k = 0; k < child.below; ++k) {
                    meet(result.rows_[child.rows + k]);
                }
            }
            for (std::uint32_t column = node.first; column < end; ++column) {
                const std::uint32_t row = result.order_[column];
                for (std::size_t e = graph.start[row]; e < graph.start[row + 1]; ++e) {
                    meet(result.position_[graph.neighbour[e]]);
                }
            }
            assert(result.rows_.size() == node.rows + node.below);
            std::sort(result.rows_.begin() + static_cast<std::ptrdiff_t>(node.rows), result.rows_.end());
            for (const std::uint32_t c : result.children(node)) {
                find_places(result, result.nodes_[c], node);
            }
        }
    }

    static void find_places(SupernodalStructure& result, const Supernode& child, const Supernode& node) {
        const auto rows = result.rows_below(node);
        std::uint32_t k = 0;
        for (std::size_t i = 0; i < child.below; ++i) {
            const std::uint32_t row = result.rows_[child.rows + i];
            if (row < node.first + node.columns) {
                result.in_parent_[child.rows + i] = row - node.first;
                continue;
            }
            while (rows[k] < row) {
                ++k;
            }
            result.in_parent_[child.rows + i] = node.columns + k;
        }
    }

    static void place_values(SupernodalStructure& result) {
        for (auto& node : result.nodes_) {
            node.panel = result.entries_;
            result.entries_ += node.panel_size();
            result.most_below_ = std::max(result.most_below_, tile * strips(node.below) * node.columns);
            result.most_columns_ = std::max<std::size_t>(result.most_columns_, node.columns);
            result.most_rows_ = std::max<std::size_t>(result.most_rows_, node.below);
        }
    }

    // An update lives from its supernode to the parent. Updates of even and odd depth live in two stacks, so that a
    // parent can write its own while it reads those of its children.
    void place_updates(SupernodalStructure& result) const {
        for (std::size_t s = result.nodes_.size(); s-- > 0;) {
            result.nodes_[s].stack = parent_[s] == no_column ? 0 : 1 - result.nodes_[parent_[s]].stack;
        }
        std::size_t top[2] = {0, 0};
        for (auto& node : result.nodes_) {
            node.update = top[node.stack];
            top[node.stack] += node.update_size();
            result.stack_size_[node.stack] = std::max(result.stack_size_[node.stack], top[node.stack]);
            const auto children = result.children(node);
            if (!children.empty()) {
                top[1 - node.stack] = result.nodes_[children.front()].update;
            }
        }
    }

    const ConstraintGraph* graph_;
    supernodal::EliminationTree tree_;
    std::vector<Draft> drafts_;
    std::vector<std::uint32_t> draft_of_;  // supernode of a column, before merging
    std::vector<std::uint32_t> survivor_;  // the supernode that took in a draft
    std::vector<std::uint32_t> parent_;    // of the final supernodes
};

SupernodalStructure::SupernodalStructure(const ConstraintGraph& graph, std::span<const std::uint32_t> order) {
    SupernodalAnalysis(graph, order).fill(*this);
}

std::size_t SupernodalStructure::place(std::size_t i, std::size_t j) const {
    const auto [column, row] = std::minmax(position_[i], position_[j]);
    const auto& node = nodes_[node_of_[column]];
    const std::size_t k = column - node.first;
    if (row < node.first + node.columns) {
        const std::size_t r = row - node.first;
        return node.panel + triangle_strip(r / tile) + tile * k + r % tile;
    }
    const auto below = rows_below(node);
    const auto r = static_cast<std::size_t>(std::lower_bound(below.begin(), below.end(), row) - below.begin());
    return node.panel + node.triangle_size() + (r / tile) * tile * node.columns + tile * k + r % tile;
}

}  // namespace libration
