// The rows W = (G; k_v) of all constraints on velocities, holonomic ones first, row by row with ascending columns.
#pragma once

#include "system/velocity_constraints.hpp"
#include <libration/kit/scalar.hpp>
#include <libration/kit/system.hpp>

#include <algorithm>

namespace libration {

template <class S>
class ReactionRows {
  public:
    explicit ReactionRows(System<S>& system) : system_(&system), G_(system.pattern().entries(), lit<S>(0)) {
        const auto& holonomic = system.pattern();
        std::vector<std::pair<std::uint32_t, std::size_t>> row;  // column, entry of its source
        const auto add_row = [&] {
            std::ranges::sort(row);
            for (const auto& [column, entry] : row) {
                pattern_.column.push_back(column);
                sources_.push_back(entry);
            }
            pattern_.row_start.push_back(pattern_.column.size());
            row.clear();
        };
        for (std::size_t i = 0; i < holonomic.rows(); ++i) {
            for (std::size_t e = holonomic.row_start[i]; e < holonomic.row_start[i + 1]; ++e) {
                row.emplace_back(holonomic.column[e], e);
            }
            add_row();
        }
        if (auto* rolling = system.velocity_constraints()) {
            const auto& places = rolling->by_velocity().place;
            const std::size_t d = system.dimension();
            std::size_t e = 0;
            for (std::size_t i = 0; i < rolling->count(); ++i) {
                for (; e < places.size() && places[e] / d == i; ++e) {
                    row.emplace_back(static_cast<std::uint32_t>(places[e] % d), e);
                }
                add_row();
            }
        }
        values_.assign(pattern_.entries(), lit<S>(0));
    }

    [[nodiscard]] const SparsePattern& pattern() const { return pattern_; }
    [[nodiscard]] std::span<const S> values() const { return values_; }

    void find(const S& t, std::span<const S> q, std::span<const S> v) {
        system_->jacobian(t, q, G_);
        const std::size_t holonomic = G_.size();
        for (std::size_t e = 0; e < holonomic; ++e) {
            values_[e] = G_[sources_[e]];
        }
        if (auto* rolling = system_->velocity_constraints()) {
            auto& K = rolling->by_velocity();
            K.tape.run(t, {q, v});
            for (std::size_t e = holonomic; e < values_.size(); ++e) {
                values_[e] = K.tape.output(sources_[e]);
            }
        }
    }

    // visit(column, value)
    template <class Visit>
    void for_row(std::size_t i, Visit visit) const {
        for (std::size_t e = pattern_.row_start[i]; e < pattern_.row_start[i + 1]; ++e) {
            visit(pattern_.column[e], values_[e]);
        }
    }
    [[nodiscard]] S product(std::size_t i, std::span<const S> x) const {
        S sum = lit<S>(0);
        for_row(i, [&](std::size_t k, const S& w) { sum = mad(w, x[k], sum); });
        return sum;
    }
    // x += W^T lambda
    void add_transposed(std::span<const S> lambda, std::span<S> x) const {
        for (std::size_t i = 0; i < pattern_.rows(); ++i) {
            for_row(i, [&](std::size_t k, const S& w) { x[k] = mad(w, lambda[i], x[k]); });
        }
    }
    // The same of magnitudes.
    void add_sizes(std::span<const S> lambda, std::span<S> x) const {
        for (std::size_t i = 0; i < pattern_.rows(); ++i) {
            for_row(i, [&](std::size_t k, const S& w) { x[k] = mad(magnitude(w), magnitude(lambda[i]), x[k]); });
        }
    }

  private:
    System<S>* system_;
    SparsePattern pattern_;
    std::vector<std::size_t> sources_;  // of its entries: the number of that of G, or of k_v
    std::vector<S> G_, values_;
};

}  // namespace libration
