// A sparse matrix of dense blocks as a factored operator, by the multifrontal method [DuffReid1983]: P A = L U, where
// rows are exchanged within the own rows of a front only. For Newton matrices: pivots of coordinates contain a mass,
// those of constraints are eliminated after their coordinates. Rows are scaled to 1: stiffness of 1e16 stands beside 1.
#pragma once

#include "block_structure.hpp"
#include <libration/kit/scalar.hpp>
#include <libration/kit/tuned.hpp>

namespace libration {

template <class S>
class BlockLu {
  public:
    explicit BlockLu(BlockStructure structure)
        : structure_(std::move(structure)), values_(structure_.entries(), lit<S>(0)),
          scale_(structure_.unknowns(), lit<S>(1)), factors_(structure_.factor_entries(), lit<S>(0)),

          front_(structure_.largest_front() * structure_.largest_front(), lit<S>(0)),
          updates_(structure_.stack_entries(), lit<S>(0)), side_(structure_.largest_front(), lit<S>(0)),
          pivots_(structure_.unknowns()), first_pivot_(structure_.fronts().size()), local_(structure_.nodes(), 0) {
        std::size_t first = 0;
        for (std::size_t f = 0; f < structure_.fronts().size(); ++f) {
            first_pivot_[f] = first;
            first += structure_.fronts()[f].own;
        }
    }

    [[nodiscard]] const BlockStructure& structure() const { return structure_; }
    void clear() { std::fill(values_.begin(), values_.end(), lit<S>(0)); }
    // Block entries, row by row from structure().place(row, column) on.
    [[nodiscard]] S* block(std::size_t place) { return values_.data() + place; }

    // False where a pivot vanishes or is not a number. A matrix that is singular but for rounding is factored.
    bool factor() requires OneTrajectory<S> {
        find_scale();
        bool regular = true;
        for (std::size_t f = 0; f < structure_.fronts().size(); ++f) {
            regular = factor_front(f) && regular;
        }
        return regular;
    }

    // x = A^-1 x, unknowns numbered as in the structure.
    void solve(std::span<S> x) requires OneTrajectory<S> {
        for (std::size_t k = 0; k < x.size(); ++k) {
            x[k] = scale_[k] * x[k];
        }
        const auto fronts = structure_.fronts();
        for (std::size_t f = 0; f < fronts.size(); ++f) {
            gather(fronts[f], x);
            forward(f);
            scatter(fronts[f], x, fronts[f].order());
        }
        for (std::size_t f = fronts.size(); f-- > 0;) {
            gather(fronts[f], x);
            backward(f);
            scatter(fronts[f], x, fronts[f].own);
        }
    }

  private:
    using Front = BlockStructure::Front;

    void find_scale() {
        const auto one = lit<Real<S>>(1), nothing = lit<Real<S>>(0);
        for (std::uint32_t row = 0; row < structure_.nodes(); ++row) {
            for (std::uint32_t i = 0; i < structure_.size(row); ++i) {
                Real<S> largest = nothing;
                const S* block = values_.data() + structure_.first_entry(row);
                for (const auto column : structure_.columns(row)) {
                    const std::size_t width = structure_.size(column);
                    for (std::size_t j = 0; j < width; ++j) {
                        largest = maxv(largest, absv(real_part(block[i * width + j])));
                    }
                    block += structure_.size(row) * width;
                }
                scale_[structure_.offset(row) + i] =
                    from_real<S>(equal(largest, nothing) ? one : Real<S>(one / largest));
            }
        }
    }

    // The blocks of the matrix in its own rows and columns, and what its children leave.
    void assemble(std::size_t f) {
        const auto& front = structure_.fronts()[f];
        const std::size_t n = front.order();
        std::fill_n(front_.data(), n * n, lit<S>(0));
        std::uint32_t start = 0;
        for (const auto node : structure_.nodes_of(front)) {
            local_[node] = start;
            start += structure_.size(node);
        }
        for (const auto& block : structure_.blocks_of(front)) {
            add_block(block, n);
        }
        for (const auto c : structure_.children(front)) {
            const auto& child = structure_.fronts()[c];
            const auto to = structure_.places_in_parent(child);
            const S* update = updates_.data() + child.update;
            for (std::size_t i = 0; i < child.later; ++i) {
                S* row = front_.data() + to[i] * n;
                for (std::size_t j = 0; j < child.later; ++j) {
                    row[to[j]] = row[to[j]] + update[i * child.later + j];
                }
            }
        }
    }

    void add_block(const BlockStructure::Block& block, std::size_t n) {
        const std::size_t height = structure_.size(block.row), width = structure_.size(block.column);
        const S* from = values_.data() + block.place;
        for (std::size_t i = 0; i < height; ++i) {
            const S& scale = scale_[structure_.offset(block.row) + i];
            S* target = front_.data() + (local_[block.row] + i) * n + local_[block.column];
            for (std::size_t j = 0; j < width; ++j) {
                target[j] = target[j] + scale * from[i * width + j];
            }
        }
    }

    bool factor_front(std::size_t f) {
        assemble(f);
        const auto& front = structure_.fronts()[f];
        const std::size_t n = front.order(), own = front.own;
        S* A = front_.data();
        bool regular = true;
        for (std::size_t k = 0; k < own; ++k) {
            std::size_t chosen = k;
            const auto size = [&](std::size_t i) { return absv(real_part(A[i * n + k])); };
            for (std::size_t i = k + 1; i < own; ++i) {
                chosen = less(size(chosen), size(i)) ? i : chosen;
            }
            regular = regular && less(lit<Real<S>>(0), size(chosen));
            pivots_[first_pivot_[f] + k] = static_cast<std::uint32_t>(chosen);
            if (chosen != k) {
                std::swap_ranges(A + k * n, A + (k + 1) * n, A + chosen * n);
            }
            tuned<S>([&]() LIBRATION_TUNED {
                const S* upper = A + k * n;
                for (std::size_t i = k + 1; i < n; ++i) {
                    S* row = A + i * n;
                    if (equal(real_part(row[k]), lit<Real<S>>(0)) && std::is_same_v<S, Real<S>>) {
                        continue;
                    }
                    row[k] = row[k] / upper[k];
                    const S factor = -row[k];
                    for (std::size_t j = k + 1; j < n; ++j) {
                        row[j] = mad(factor, upper[j], row[j]);
                    }
                }
            });
        }
        store(f);
        return regular;
    }

    // Own rows, then the own columns of later rows; the rest goes to the parent.
    void store(std::size_t f) {
        const auto& front = structure_.fronts()[f];
        const std::size_t n = front.order(), own = front.own, later = front.later;
        S* to = std::copy_n(front_.data(), own * n, factors_.data() + front.panel);
        S* update = updates_.data() + front.update;
        for (std::size_t i = 0; i < later; ++i) {
            const S* row = front_.data() + (own + i) * n;
            to = std::copy_n(row, own, to);
            std::copy_n(row + own, later, update + i * later);
        }
    }

    void gather(const Front& front, std::span<const S> x) {
        S* to = side_.data();
        for (const auto node : structure_.nodes_of(front)) {
            to = std::copy_n(x.data() + structure_.offset(node), structure_.size(node), to);
        }
    }
    void scatter(const Front& front, std::span<S> x, std::size_t count) {
        const S* from = side_.data();
        for (const auto node : structure_.nodes_of(front)) {
            if (static_cast<std::size_t>(from - side_.data()) == count) {
                return;
            }
            std::copy_n(from, structure_.size(node), x.data() + structure_.offset(node));
            from += structure_.size(node);
        }
    }

    void forward(std::size_t f) {
        const auto& front = structure_.fronts()[f];
        const std::size_t n = front.order(), own = front.own;
        for (std::size_t k = 0; k < own; ++k) {
            std::swap(side_[k], side_[pivots_[first_pivot_[f] + k]]);
        }
        tuned<S>([&]() LIBRATION_TUNED {
            const S* panel = factors_.data() + front.panel;
            for (std::size_t i = 0; i < n; ++i) {
                const S* row = i < own ? panel + i * n : panel + own * n + (i - own) * own;
                S sum = side_[i];
                for (std::size_t j = 0; j < std::min(i, own); ++j) {
                    sum = mad(S(-row[j]), side_[j], sum);
                }
                side_[i] = sum;
            }
        });
    }
    void backward(std::size_t f) {
        const auto& front = structure_.fronts()[f];
        const std::size_t n = front.order();
        tuned<S>([&]() LIBRATION_TUNED {
            const S* panel = factors_.data() + front.panel;
            for (std::size_t i = front.own; i-- > 0;) {
                const S* row = panel + i * n;
                S sum = side_[i];
                for (std::size_t j = i + 1; j < n; ++j) {
                    sum = mad(S(-row[j]), side_[j], sum);
                }
                side_[i] = sum / row[i];
            }
        });
    }

    BlockStructure structure_;
    std::vector<S> values_, scale_, factors_, front_, updates_, side_;
    std::vector<std::uint32_t> pivots_;
    std::vector<std::size_t> first_pivot_;
    std::vector<std::uint32_t> local_;  // where the nodes of a front stand in it, while it is assembled
};

}  // namespace libration
