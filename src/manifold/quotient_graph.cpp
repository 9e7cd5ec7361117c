// Rows and elements, and what becomes of them.
#include "manifold/quotient_graph.hpp"

#include <algorithm>
#include <cmath>

namespace libration {

QuotientGraph::QuotientGraph(const SparsePattern& pattern, std::size_t dimension) : rows_(pattern.rows()) {
    set_dense_rows_aside(pattern);
    find_elements(pattern, dimension);
    list_elements_of_rows();
    // What is alive never grows, so that after a cleaning there is room for any new element.
    pool_limit_ = 2 * pool_.size() + rows_.size();
    pool_.reserve(pool_limit_);
}

std::uint32_t QuotientGraph::eliminate(std::uint32_t pivot) {
    const auto e = unite_elements(pivot);
    measure_outside(e);
    return e;
}

// A row with very many coordinates touches nearly every element, and each step would walk its list: it goes last.
void QuotientGraph::set_dense_rows_aside(const SparsePattern& pattern) {
    const double most = std::max(16.0, 10 * std::sqrt(static_cast<double>(rows_.size())));
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
        if (static_cast<double>(pattern.row_start[i + 1] - pattern.row_start[i]) > most) {
            rows_[i].weight = 0;
            dense_.push_back(i);
        }
    }
}

// Coordinates become elements; those with the same rows are one element.
void QuotientGraph::find_elements(const SparsePattern& pattern, std::size_t dimension) {
    const auto uses = coordinate_uses(pattern, dimension);
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
        kept.clear();
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1] && rows_[i].weight > 0; ++e) {
            const auto c = pattern.column[e];
            if (uses.joined[c] != 0) {
                continue;
            }
            const auto first = uses.row.begin() + uses.start[c], last = uses.row.begin() + uses.start[c + 1];
            const auto alive = [this](std::uint32_t j) { return rows_[j].weight > 0; };
            if (*std::find_if(first, last, alive) != i) {
                continue;  // seen from its first row
            }
            const auto same = [&](std::uint32_t other) {
                return std::equal(first, last, uses.row.begin() + uses.start[other],
                                  uses.row.begin() + uses.start[other + 1]);
            };
            if (std::none_of(kept.begin(), kept.end(), same)) {
                kept.push_back(c);
                add_element({first, last});
            }
        }
    }
}

void QuotientGraph::list_elements_of_rows() {
    elements_of_rows_.resize(pool_.size());
    for (std::uint32_t i = 0, place = 0; i < rows_.size(); ++i) {
        rows_[i].first = place;
        place += rows_[i].length;
        rows_[i].length = 0;
    }
    for (std::uint32_t e = 0; e < elements_.size(); ++e) {
        for (std::uint32_t k = 0; k < elements_[e].length; ++k) {
            auto& row = rows_[pool_[elements_[e].first + k]];
            elements_of_rows_[row.first + row.length++] = e;
        }
    }
}

void QuotientGraph::add_element(std::span<const std::uint32_t> rows) {
    const std::size_t start = pool_.size();
    for (const auto i : rows) {
        if (rows_[i].weight > 0) {
            pool_.push_back(i);
        }
    }
    const auto length = static_cast<std::uint32_t>(pool_.size() - start);
    if (length < 2) {  // it couples nothing
        pool_.resize(start);
        return;
    }
    for (std::size_t k = start; k < pool_.size(); ++k) {
        ++rows_[pool_[k]].length;
    }
    elements_.push_back({.first = static_cast<std::uint32_t>(start), .length = length, .weight = length});
}

// The first element of the pivot becomes the union of all.
std::uint32_t QuotientGraph::unite_elements(std::uint32_t pivot) {
    const auto& row = rows_[pivot];
    const std::uint32_t* parts = &elements_of_rows_[row.first];
    const std::uint32_t result = parts[0];
    ++stamp_;
    std::size_t bound = 0;
    for (std::uint32_t k = 0; k < row.length; ++k) {
        bound += elements_[parts[k]].length;
    }
    if (row.length > 1 && pool_.size() + bound > pool_limit_) {
        clean_pool();
    }
    // One element shrinks in place.
    const std::size_t first = row.length == 1 ? elements_[result].first : pool_.size();
    std::size_t end = first;
    std::uint32_t weight = 0;
    if (row.length > 1) {
        pool_.resize(first + bound);
    }
    for (std::uint32_t k = 0; k < row.length; ++k) {
        auto& part = elements_[parts[k]];
        for (std::size_t place = part.first; place < part.first + part.length; ++place) {
            const auto i = pool_[place];
            if (rows_[i].weight > 0 && rows_[i].stamp != stamp_) {
                rows_[i].stamp = stamp_;
                weight += rows_[i].weight;
                pool_[end++] = i;
            }
        }
        part.weight = 0;
    }
    if (row.length > 1) {
        pool_.resize(end);
    }
    auto& united = elements_[result];
    united.first = static_cast<std::uint32_t>(first);
    united.length = static_cast<std::uint32_t>(end - first);
    united.weight = weight;
    return result;
}

void QuotientGraph::clean_pool() {
    std::vector<std::uint32_t> fresh;
    fresh.reserve(pool_limit_);
    for (auto& element : elements_) {
        if (element.weight > 0) {
            const std::size_t first = fresh.size();
            for (std::size_t place = element.first; place < element.first + element.length; ++place) {
                if (rows_[pool_[place]].weight > 0) {
                    fresh.push_back(pool_[place]);
                }
            }
            element.first = static_cast<std::uint32_t>(first);
            element.length = static_cast<std::uint32_t>(fresh.size() - first);
        }
    }
    pool_ = std::move(fresh);
}

// For all other elements of its rows: how much of them lies outside the new element.
void QuotientGraph::measure_outside(std::uint32_t e) {
    for (std::uint32_t k = 0; k < elements_[e].length; ++k) {
        const auto i = pool_[elements_[e].first + k];
        for (std::uint32_t n = 0; n < rows_[i].length; ++n) {
            auto& other = elements_[elements_of_rows_[rows_[i].first + n]];
            if (other.stamp != stamp_) {
                other.stamp = stamp_;
                other.outside = other.weight;
            }
            other.outside -= rows_[i].weight;
        }
    }
}

}  // namespace libration
