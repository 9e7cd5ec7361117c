// Symbolic factorisation: the rows of a column are those of the matrix and those of the columns whose first row it is.
#include "elimination.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

namespace libration {

namespace {

constexpr std::uint32_t no_position = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::vector<std::uint32_t> Elimination::positions() const {
    std::vector<std::uint32_t> position(columns());
    for (std::uint32_t k = 0; k < columns(); ++k) {
        position[row[start[k]]] = k;
    }
    return position;
}

std::size_t Elimination::updates() const {
    std::size_t sum = 0;
    for (std::size_t k = 0; k < columns(); ++k) {
        const std::size_t below = start[k + 1] - start[k] - 1;
        sum += below * (below + 1) / 2;
    }
    return sum;
}

std::optional<Elimination> eliminate(const ConstraintGraph& graph, std::span<const std::uint32_t> order,
                                     std::size_t most_updates) {
    const std::size_t rows = graph.rows();
    std::vector<std::uint32_t> position(rows);
    for (std::uint32_t k = 0; k < rows; ++k) {
        position[order[k]] = k;
    }
    // Columns whose first entry below the diagonal stands in row k form a list: they hand their rows on to column k.
    std::vector<std::uint32_t> first_child(rows, no_position), sibling(rows, no_position), seen_by(rows, no_position);
    Elimination result;
    result.start.reserve(rows + 1);
    result.row.reserve(rows + graph.neighbour.size() / 2);
    auto& entry = result.row;  // positions at first
    std::size_t updates = 0;
    for (std::uint32_t k = 0; k < rows; ++k) {
        const auto add = [&](std::uint32_t p) {
            if (p > k && seen_by[p] != k) {
                seen_by[p] = k;
                entry.push_back(p);
            }
        };
        entry.push_back(k);
        const std::size_t below = entry.size();
        for (std::size_t n = graph.start[order[k]]; n < graph.start[order[k] + 1]; ++n) {
            add(position[graph.neighbour[n]]);
        }
        for (std::uint32_t child = first_child[k]; child != no_position; child = sibling[child]) {
            for (std::size_t n = result.start[child] + 1; n < result.start[child + 1]; ++n) {
                add(entry[n]);
            }
        }
        const std::size_t count = entry.size() - below;
        updates += count * (count + 1) / 2;
        if (updates > most_updates) {
            return std::nullopt;
        }
        if (entry.size() >= no_position) {
            throw InputError(fmt::format("the factor of G M^-1 G^T for {} constraints needs more than {} numbers; "
                                         "reduce the coupling between the constraints",
                                         rows, no_position - 1));
        }
        if (count > 0) {
            std::sort(entry.begin() + static_cast<std::ptrdiff_t>(below), entry.end());
            const auto parent = entry[below];
            sibling[k] = first_child[parent];
            first_child[parent] = k;
        }
        result.start.push_back(static_cast<std::uint32_t>(entry.size()));
    }
    for (auto& p : entry) {
        p = order[p];
    }
    entry.shrink_to_fit();
    return result;
}

std::uint32_t PlaceFinder::operator()(std::uint32_t i, std::uint32_t j) const {
    const auto column = std::min(position_[i], position_[j]), wanted = std::max(position_[i], position_[j]);
    const auto& row = elimination_->row;
    const auto first = row.begin() + elimination_->start[column], last = row.begin() + elimination_->start[column + 1];
    const auto found = std::lower_bound(
        first, last, wanted, [this](std::uint32_t r, std::uint32_t position) { return position_[r] < position; });
    assert(found != last && position_[*found] == wanted);
    return static_cast<std::uint32_t>(found - row.begin());
}

}  // namespace libration
