// Blocks, their order of elimination, and fronts.
#include "block_structure.hpp"

#include <algorithm>
#include <numeric>

namespace libration {

BlockStructure::BlockStructure(std::vector<std::uint32_t> sizes, std::vector<Coupling> couplings,
                               std::uint32_t first_late)
    : sizes_(std::move(sizes)), offsets_(sizes_.size()) {
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
        offsets_[k] = static_cast<std::uint32_t>(unknowns_);
        unknowns_ += sizes_[k];
    }
    list_blocks(std::move(couplings));
    make_fronts(SupernodalStructure(graph(), order(first_late)));
}

void BlockStructure::list_blocks(std::vector<Coupling> couplings) {
    const std::size_t given = couplings.size();
    for (std::size_t k = 0; k < given; ++k) {
        couplings.emplace_back(couplings[k].second, couplings[k].first);
    }
    for (std::uint32_t k = 0; k < sizes_.size(); ++k) {
        couplings.emplace_back(k, k);
    }
    std::sort(couplings.begin(), couplings.end());
    couplings.erase(std::unique(couplings.begin(), couplings.end()), couplings.end());
    starts_.assign(sizes_.size() + 1, 0);
    for (const auto& [row, column] : couplings) {
        ++starts_[row + 1];
        columns_.push_back(column);
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    for (std::size_t row = 0; row < sizes_.size(); ++row) {
        first_entries_.push_back(entries_);
        for (const auto column : columns(row)) {
            entries_ += std::size_t{sizes_[row]} * sizes_[column];
        }
    }
}

std::size_t BlockStructure::place(std::uint32_t row, std::uint32_t column) const {
    std::size_t place = first_entries_[row];
    for (const auto other : columns(row)) {
        if (other == column) {
            return place;
        }
        place += std::size_t{sizes_[row]} * sizes_[other];
    }
    assert(false && "no such block");
    return entries_;
}

ConstraintGraph BlockStructure::graph() const {
    ConstraintGraph graph;
    for (std::uint32_t row = 0; row < sizes_.size(); ++row) {
        for (const auto column : columns(row)) {
            if (column != row) {
                graph.neighbour.push_back(column);
            }
        }
        graph.start.push_back(graph.neighbour.size());
    }
    return graph;
}

// Minimum degree, in which every coupling is an element. A late node whose turn would come before that of what fills it
// waits until the last of those is eliminated; from then on it is coupled with what that was coupled with, so that to
// wait longer would bring nothing.
std::vector<std::uint32_t> BlockStructure::order(std::uint32_t first_late) const {
    SparsePattern pattern;
    std::vector<std::vector<std::uint32_t>> elements(sizes_.size());
    std::uint32_t count = 0;
    for (std::uint32_t row = 0; row < sizes_.size(); ++row) {
        for (const auto column : columns(row)) {
            if (column < row) {
                elements[row].push_back(count);
                elements[column].push_back(count++);
            }
        }
    }
    for (const auto& list : elements) {
        pattern.column.insert(pattern.column.end(), list.begin(), list.end());
        pattern.row_start.push_back(pattern.column.size());
    }
    auto order = fill_reducing_order(pattern, count);
    std::vector<std::uint32_t> turn(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) {
        turn[order[k]] = k;
    }
    auto last = turn;
    for (std::uint32_t node = first_late; node < sizes_.size(); ++node) {
        for (const auto column : columns(node)) {
            if (column < first_late) {
                last[node] = std::max(last[node], turn[column]);
            }
        }
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(last[a], turn[a] < last[a]) < std::pair(last[b], turn[b] < last[b]) ||
               (last[a] == last[b] && (turn[a] < last[a]) == (turn[b] < last[b]) && turn[a] < turn[b]);
    });
    return order;
}

void BlockStructure::make_fronts(const SupernodalStructure& nodes) {
    const auto order = nodes.order();
    front_of_.resize(sizes_.size());
    for (const auto& supernode : nodes.supernodes()) {
        Front front;
        front.first_node = node_list_.size();
        front.nodes = supernode.columns + supernode.below;
        front.panel = factor_entries_;
        for (std::uint32_t k = 0; k < supernode.columns; ++k) {
            node_list_.push_back(order[supernode.first + k]);
            front.own += sizes_[node_list_.back()];
            front_of_[node_list_.back()] = static_cast<std::uint32_t>(fronts_.size());
        }
        for (const auto row : nodes.rows_below(supernode)) {
            node_list_.push_back(order[row]);
            front.later += sizes_[node_list_.back()];
        }
        front.child_begin = static_cast<std::uint32_t>(children_.size());
        const auto children = nodes.children(supernode);
        children_.insert(children_.end(), children.begin(), children.end());
        front.child_end = static_cast<std::uint32_t>(children_.size());
        factor_entries_ += front.panel_size();
        largest_front_ = std::max(largest_front_, front.order());
        const double own = front.own, all = static_cast<double>(front.order());
        work_ += own * (all * all - own * all + own * own / 3);
        fronts_.push_back(front);
    }
    place_updates(nodes);
    distribute_blocks();
}

// Fronts are numbered depth first: the updates of the children of the next one are the last on the stack.
void BlockStructure::place_updates(const SupernodalStructure& nodes) {
    std::vector<std::uint32_t> starts;
    std::size_t top = 0;
    for (auto& front : fronts_) {
        starts.clear();
        std::uint32_t unknowns = 0;
        for (const auto node : nodes_of(front)) {
            starts.push_back(unknowns);
            unknowns += sizes_[node];
        }
        for (const auto c : children(front)) {
            auto& child = fronts_[c];
            child.first_place = places_.size();
            const auto& supernode = nodes.supernodes()[c];
            const auto in_parent = nodes.rows_in_parent(supernode);
            for (std::uint32_t k = 0; k < supernode.below; ++k) {
                const auto node = nodes_of(child)[supernode.columns + k];
                for (std::uint32_t i = 0; i < sizes_[node]; ++i) {
                    places_.push_back(starts[in_parent[k]] + i);
                }
            }
            top = std::min(top, child.update);
        }
        front.update = top;
        top += std::size_t{front.later} * front.later;
        stack_entries_ = std::max(stack_entries_, top);
    }
}

void BlockStructure::distribute_blocks() {
    std::vector<std::size_t> next(fronts_.size() + 1, 0);
    for (std::uint32_t row = 0; row < sizes_.size(); ++row) {
        for (const auto column : columns(row)) {
            ++next[std::min(front_of_[row], front_of_[column]) + 1];
        }
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::size_t f = 0; f < fronts_.size(); ++f) {
        fronts_[f].block_begin = next[f];
        fronts_[f].block_end = next[f + 1];
    }
    blocks_.resize(columns_.size());
    for (std::uint32_t row = 0; row < sizes_.size(); ++row) {
        std::size_t place = first_entries_[row];
        for (const auto column : columns(row)) {
            blocks_[next[std::min(front_of_[row], front_of_[column])]++] = {row, column, place};
            place += std::size_t{sizes_[row]} * sizes_[column];
        }
    }
}

}  // namespace libration
