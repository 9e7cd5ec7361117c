// The equations of the multipliers of large systems with constant, diagonal masses, where forces depend on multipliers
// or velocities are constrained: W M^-1 W^T as a sparse L D L^T, W M^-1 (W^T - f_lambda) as the sparse matrix
//
//     ( M   f_lambda - W^T )
//     ( W         0        ).
#pragma once

#include "block_lu.hpp"
#include "constraint_matrix.hpp"
#include "reaction_rows.hpp"
#include "system/applied_forces.hpp"
#include "system/system_view.hpp"

namespace libration {

template <class S>
class SparseReactions {
  public:
    SparseReactions(System<S>& system, const ReactionRows<S>& rows)
        : rows_(&rows), view_(system, rows.pattern()), masses_(make_constraint_matrix<S>(view_)),
          factored_(masses_->entries(), lit<S>(0)), lu_(structure(system)),
          side_(lu_.structure().unknowns(), lit<S>(0)) {}

    // Factors W M^-1 W^T; returns its smallest relative pivot.
    Real<S> factor_masses(const S& t, std::span<const S> q, std::span<const S> p) {
        masses_->assemble(view_, t, q, p, rows_->values(), factored_);
        return masses_->factor(factored_);
    }
    void solve_masses(std::span<S> x) { masses_->solve(factored_, x); }

    // x = (W M^-1 (W^T - f_lambda))^-1 x; `slopes`: those of the forces, if there are any.
    void solve(AppliedForces<S>* forces, std::span<const S> slopes, std::span<S> x) {
        const std::size_t d = view_.dimension();
        const auto& structure = lu_.structure();
        const auto entry = [&](std::size_t row, std::size_t column) -> S& {
            return *lu_.block(structure.place(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)));
        };
        lu_.clear();
        for (std::size_t k = 0; k < d; ++k) {
            entry(k, k) = lit<S>(1) / view_.inverse_masses()[k];
        }
        for (std::size_t i = 0; i < x.size(); ++i) {
            rows_->for_row(i, [&](std::size_t k, const S& w) {
                entry(d + i, k) = w;
                entry(k, d + i) = -w;
            });
        }
        for (std::size_t e = 0; e < slopes.size(); ++e) {
            const auto& [component, column] = forces->slopes()[e];
            if (column >= 2 * d) {
                S& target = entry(forces->components()[component].coordinate, column - d);
                target = target + slopes[e];
            }
        }
        lu_.factor();
        std::fill_n(side_.begin(), d, lit<S>(0));
        std::ranges::copy(x, side_.begin() + static_cast<std::ptrdiff_t>(d));
        lu_.solve(side_);
        std::copy(side_.begin() + static_cast<std::ptrdiff_t>(d), side_.end(), x.begin());
    }

  private:
    // The system with the rows of W for those of G.
    class RowsView final : public SystemView<S> {
      public:
        RowsView(System<S>& system, const SparsePattern& pattern) : SystemView<S>(system) { this->pattern_ = pattern; }
    };

    BlockStructure structure(System<S>& system) const {
        const auto d = static_cast<std::uint32_t>(system.dimension());
        std::vector<BlockStructure::Coupling> couplings;
        const auto& pattern = rows_->pattern();
        for (std::uint32_t i = 0; i < pattern.rows(); ++i) {
            rows_->for_row(i, [&](std::uint32_t k, const S&) { couplings.emplace_back(d + i, k); });
        }
        if (auto* forces = system.forces()) {
            for (const auto& [component, column] : forces->slopes()) {
                if (column >= 2 * d) {
                    couplings.emplace_back(forces->components()[component].coordinate, column - d);
                }
            }
        }
        return {std::vector<std::uint32_t>(d + pattern.rows(), 1), std::move(couplings), d};
    }

    const ReactionRows<S>* rows_;
    RowsView view_;
    std::unique_ptr<ConstraintMatrix<S>> masses_;
    std::vector<S> factored_;
    BlockLu<S> lu_;
    std::vector<S> side_;
};

}  // namespace libration
