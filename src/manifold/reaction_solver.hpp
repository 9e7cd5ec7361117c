// The multipliers where forces depend on them, or where velocities are constrained: r(lambda) = 0 by Newton's method,
//
//     r = W (velocity rate of f(t, q, v, lambda) - H_q - W^T lambda) + w,    -r_lambda = W M^-1 (W^T - f_lambda),
//     W = (G; k_v),   w = (G_q(v, v) + 2 g_qt v + g_tt; k_q v + k_t),
//
// which are d/dt (G v + g_t) and d/dt k, holonomic constraints first. [Jay 1998, (8e), (9)] Dense for small systems,
// sparse for large ones with constant, diagonal masses. solve() allocates: steps keep their own multipliers and ask for
// it at nodes only.
#pragma once

#include "dense_lu.hpp"
#include "solve.hpp"
#include "sparse_reactions.hpp"

#include <optional>

namespace libration {

template <class S>
class ReactionSolver {
  public:
    explicit ReactionSolver(System<S>& system)
        : system_(&system), d_(system.dimension()), m_(system.constraints()), r_(reaction_count(system)), rows_(system),
          v_(d_, zero()), f_(d_, zero()), x_(d_, zero()), sizes_(d_, zero()), rates_(r_, zero()), floors_(r_, zero()),
          mu_(r_, zero()), slopes_(system.forces() != nullptr ? system.forces()->slopes().size() : 0, zero()) {
        if (system.properties().couplings && r_ > most_dense_rows) {
            sparse_.emplace(system, rows_);
        } else {
            matrix_.assign(r_ * r_, zero());
            pivots_.resize(r_);
        }
    }

    ReactionSolver(const ReactionSolver&) = delete;
    ReactionSolver& operator=(const ReactionSolver&) = delete;

    // Returns the smallest relative pivot at the solution, 0 without one.
    Real<S> solve(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> lambda) {
        find_rows(t, q, p);
        system_->curvature(t, q, v_, std::span(rates_).first(m_));
        if (auto* rolling = system_->velocity_constraints()) {
            rolling->rates(t, q, v_, std::span(rates_).subspan(m_));
        }
        std::fill(lambda.begin(), lambda.end(), zero());
        Real<S> pivot = lit<Real<S>>(0);
        std::vector<S> correction(r_, zero());
        const auto report = iterate(IterationControl{.correct_last = true}, lambda, std::span<S>(correction),
                                    [&](std::span<const S> x, std::span<S> dx) {
                                        const auto worst = residual(t, q, p, x, dx);
                                        pivot = solve_for(t, q, p, x, dx);
                                        return worst;
                                    });
        return select(equal(report.converged, lit<Real<S>>(1)), pivot, lit<Real<S>>(0));
    }

    // G v + g_t, then k.
    void hidden(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> rows) {
        find_rows(t, q, p);
        system_->constraint_rate(t, q, std::span(rates_).first(m_));
        for (std::size_t i = 0; i < m_; ++i) {
            rows[i] = rates_[i] + rows_.product(i, v_);
        }
        if (auto* rolling = system_->velocity_constraints()) {
            rolling->values(t, q, v_, rows.subspan(m_));
        }
    }

    // p - W^T mu with G v + g_t = 0 and k = 0, by Newton's method: one pass where H is separable and k linear in v.
    void project_momentum(const S& t, std::span<const S> q, std::span<S> p) {
        const std::span<S> mu = mu_;
        constexpr int most_passes = 40;
        Real<S> before = lit<Real<S>>(0);
        for (int pass = 0; pass < most_passes; ++pass) {
            hidden(t, q, p, mu);
            Real<S> size = lit<Real<S>>(0);
            for (const auto& row : mu) {
                size = maxv(size, absv(real_part(row)));
            }
            if (pass > 1 && !less(size, before)) {
                return;
            }
            before = size;
            if (sparse_) {
                sparse_->factor_masses(t, q, p);
                sparse_->solve_masses(mu);
            } else {
                assemble_masses(t, q, p);
                factor_dense<S>(matrix_, pivots_);
                solve_dense<S>(matrix_, pivots_, mu);
            }
            for (auto& value : mu) {
                value = -value;
            }
            rows_.add_transposed(mu, p);
        }
    }

    // The squared sines of the angles between a row of W and the rows before it, in the metric of M^-1: about the
    // round-off where they are dependent. Dense.
    const std::vector<Real<S>>& angles(const S& t, std::span<const S> q, std::span<const S> p) {
        matrix_.resize(r_ * r_, zero());
        sines_.resize(r_, lit<Real<S>>(0));
        find_rows(t, q, p);
        assemble_masses(t, q, p);
        const auto none = lit<Real<S>>(0), dependent = lit<Real<S>>(1, 1'000'000'000'000);
        for (std::size_t k = 0; k < r_; ++k) {  // L D L^T, row after row
            const Real<S> whole = real_part(matrix_[k * r_ + k]);
            S rest = matrix_[k * r_ + k];
            for (std::size_t i = 0; i < k; ++i) {
                S sum = matrix_[k * r_ + i];
                for (std::size_t j = 0; j < i; ++j) {
                    sum = mad(S(-matrix_[k * r_ + j] * matrix_[j * r_ + j]), matrix_[i * r_ + j], sum);
                }
                // Rows that depend on others take part no more.
                matrix_[k * r_ + i] = less(dependent, sines_[i]) ? S(sum / matrix_[i * r_ + i]) : zero();
                rest = mad(S(-matrix_[k * r_ + i] * matrix_[k * r_ + i]), matrix_[i * r_ + i], rest);
            }
            matrix_[k * r_ + k] = rest;
            sines_[k] = equal(whole, none) ? none : Real<S>(real_part(rest) / whole);
        }
        return sines_;
    }
    // The least of them, in large systems in the order of elimination; not a number where one of them is none.
    Real<S> least_angle(const S& t, std::span<const S> q, std::span<const S> p) {
        if (sparse_) {
            find_rows(t, q, p);
            return sparse_->factor_masses(t, q, p);
        }
        Real<S> smallest = lit<Real<S>>(1);
        for (const auto& sine : angles(t, q, p)) {
            smallest = minv(smallest, sine) + (sine - sine);
        }
        return smallest;
    }
    // After angles(): the share of each row before `last` in row `last`, the first that depends on them.
    [[nodiscard]] std::vector<S> shares(std::size_t last) const {
        std::vector<S> x(matrix_.begin() + static_cast<std::ptrdiff_t>(last * r_),
                         matrix_.begin() + static_cast<std::ptrdiff_t>(last * r_ + last));
        for (std::size_t i = last; i-- > 0;) {  // L^T x = row
            for (std::size_t j = i + 1; j < last; ++j) {
                x[i] = mad(S(-matrix_[j * r_ + i]), x[j], x[i]);
            }
        }
        return x;
    }

  private:
    static S zero() { return lit<S>(0); }

    // Beyond this many rows a sparse factorisation pays.
    static constexpr std::size_t most_dense_rows = 128;

    // v and W at (q, p)
    void find_rows(const S& t, std::span<const S> q, std::span<const S> p) {
        system_->velocity(t, q, p, v_);
        rows_.find(t, q, v_);
    }

    // x = (W M^-1 (W^T - f_lambda))^-1 x; returns the smallest relative pivot.
    Real<S> solve_for(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> lambda,
                      std::span<S> x) {
        if (!sparse_) {
            assemble(t, q, p, lambda);
            const auto pivot = factor_dense<S>(matrix_, pivots_);
            solve_dense<S>(matrix_, pivots_, x);
            return pivot;
        }
        const auto pivot = sparse_->factor_masses(t, q, p);
        auto* forces = system_->forces();
        if (forces == nullptr || !forces->depend_on_multipliers()) {
            sparse_->solve_masses(x);
        } else {
            forces->slope_values(t, q, v_, lambda, slopes_);
            sparse_->solve(forces, slopes_, x);
        }
        return pivot;
    }

    // W M^-1 x into column j
    void set_column(const S& t, std::span<const S> q, std::span<const S> p, std::size_t j) {
        system_->solve_mass(t, q, p, x_, x_);
        for (std::size_t i = 0; i < r_; ++i) {
            matrix_[i * r_ + j] = rows_.product(i, x_);
        }
    }
    // W M^-1 W^T
    void assemble_masses(const S& t, std::span<const S> q, std::span<const S> p) {
        for (std::size_t j = 0; j < r_; ++j) {
            std::fill(x_.begin(), x_.end(), zero());
            rows_.for_row(j, [&](std::size_t k, const S& w) { x_[k] = w; });
            set_column(t, q, p, j);
        }
    }
    // W M^-1 (W^T - f_lambda)
    void assemble(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> lambda) {
        auto* forces = system_->forces();
        if (forces == nullptr) {
            assemble_masses(t, q, p);
            return;
        }
        forces->slope_values(t, q, v_, lambda, slopes_);
        for (std::size_t j = 0; j < r_; ++j) {
            std::fill(x_.begin(), x_.end(), zero());
            rows_.for_row(j, [&](std::size_t k, const S& w) { x_[k] = w; });
            for (std::size_t k = 0; k < slopes_.size(); ++k) {
                const auto& slope = forces->slopes()[k];
                if (slope.column == 2 * d_ + j) {
                    S& target = x_[forces->components()[slope.component].coordinate];
                    target = target - slopes_[k];
                }
            }
            set_column(t, q, p, j);
        }
    }

    // r into `rows`; returns its size in floors, the rounding of its terms.
    Real<S> residual(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> lambda,
                     std::span<S> rows) {
        system_->force_gradient(t, q, p, f_);
        for (std::size_t k = 0; k < d_; ++k) {
            sizes_[k] = magnitude(f_[k]);
            f_[k] = -f_[k];
        }
        rows_.add_sizes(lambda, sizes_);
        if (auto* forces = system_->forces()) {
            forces->add_to(t, q, v_, lambda, f_);
        }
        for (std::size_t i = 0; i < r_; ++i) {
            rows[i] = -lambda[i];
        }
        rows_.add_transposed(rows, f_);
        for (std::size_t k = 0; k < d_; ++k) {
            sizes_[k] = sizes_[k] + magnitude(f_[k]);
        }
        system_->solve_mass(t, q, p, sizes_, sizes_);
        system_->velocity_rate(t, q, p, v_, f_, f_);
        const S eps = from_real<S>(epsilon<S>());
        for (std::size_t i = 0; i < r_; ++i) {
            S size = magnitude(rates_[i]);
            rows_.for_row(i, [&](std::size_t k, const S& w) {
                size = mad(magnitude(w), S(magnitude(sizes_[k]) + magnitude(f_[k])), size);
            });
            floors_[i] = eps * size;
            rows[i] = rows_.product(i, f_) + rates_[i];
        }
        return largest_in_floors<S>(rows, floors_);
    }

    System<S>* system_;
    std::size_t d_, m_, r_;  // coordinates, holonomic constraints, all constraints
    ReactionRows<S> rows_;
    std::vector<S> v_, f_, x_, sizes_, rates_, floors_, matrix_, mu_;
    std::vector<Real<S>> sines_;
    std::vector<S> slopes_;
    std::vector<std::size_t> pivots_;
    std::optional<SparseReactions<S>> sparse_;
};

}  // namespace libration
