// The last half kick of a constrained step, which brings the momentum to the manifold:
//
//     p' = p - G(q)^T mu      0 = G(q) H_p(t, q, p') + g_t
//
// Linear in mu for separable H: one solve is exact, iterating would only add round-off. Otherwise A = G H_pp G^T of q stands in
// for the derivative. [HLW03 (6.12); Reich 1996 3.1]
#pragma once

#include <libration/manifold/solve.hpp>
#include <libration/methods/map.hpp>

#include <algorithm>
#include <utility>

namespace libration {

template <class S>
class HiddenConstraint {
  public:
    HiddenConstraint(System<S>& system, const ConstraintMatrix<S>& matrix)
        : system_(&system), matrix_(&matrix), p_(system.dimension()), mu_(system.constraints(), lit<S>(0)), rows_(mu_),
          floor_(mu_), rate_(mu_), w_(system.dimension(), lit<S>(0)) {}

    // Uses G and A of z.at, those at z.q.
    MapReport<S> project(const S& t, State<S>& z) {
        MapReport<S> report;
        if (mu_.empty()) {
            return report;
        }
        std::fill(mu_.begin(), mu_.end(), lit<S>(0));
        if (system_->properties().separable) {
            residual(t, z.q, z.p, z.at, mu_);
            matrix_->solve(z.at.A, mu_);
        } else {
            find_floors(t, z);
            const auto done = solve_constraints<S>(
                {}, mu_, rows_, floor_,
                [&](std::span<const S> mu, std::span<S> rows) {
                    kick(z, mu);
                    residual(t, z.q, p_, z.at, rows);
                },
                [&](std::span<S> rows) { matrix_->solve(z.at.A, rows); });
            report.converged = done.converged;
        }
        kick(z, mu_);
        std::swap(p_, z.p);
        return report;
    }

    // f = f - G^T A^-1 G H_pp f, so that a kick by f stays on the manifold. Separable H.
    void make_tangential(const S& t, const State<S>& z, std::span<S> f) {
        if (mu_.empty()) {
            return;
        }
        system_->solve_mass(t, z.q.high, z.p.high, f, w_);
        apply_jacobian<S>(system_->pattern(), z.at.G, w_, mu_);
        matrix_->solve(z.at.A, mu_);
        for (auto& value : mu_) {
            value = -value;
        }
        add_transposed<S>(system_->pattern(), z.at.G, mu_, f);
    }

  private:
    void kick(const State<S>& z, std::span<const S> mu) {
        std::fill(w_.begin(), w_.end(), lit<S>(0));
        add_transposed<S>(system_->pattern(), z.at.G, mu, w_);
        add_scaled<S>(z.p, lit<S>(-1), w_, p_);
    }

    void residual(const S& t, const PairVector<S>& q, const PairVector<S>& p, const PositionData<S>& at,
                  std::span<S> rows) {
        system_->velocity(t, q.high, p.high, w_);
        apply_jacobian<S>(system_->pattern(), at.G, w_, rows);
        if (system_->properties().depends_on_time) {
            system_->constraint_rate(t, q.high, rate_);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                rows[i] = rows[i] + rate_[i];
            }
        }
    }

    // eps |G| |v|, with the mean velocity added: components of v may themselves be small differences.
    void find_floors(const S& t, const State<S>& z) {
        system_->velocity(t, z.q.high, z.p.high, w_);
        S mean = lit<S>(0);
        for (auto& v : w_) {
            v = magnitude(v);
            mean = mean + v;
        }
        mean = mean * lit<S>(1, static_cast<std::int64_t>(w_.size()));
        for (auto& v : w_) {
            v = v + mean;
        }
        std::fill(rows_.begin(), rows_.end(), lit<S>(0));
        constraint_floors<S>(system_->pattern(), z.at.G, w_, rows_, floor_);
    }

    System<S>* system_;
    const ConstraintMatrix<S>* matrix_;
    PairVector<S> p_;
    std::vector<S> mu_, rows_, floor_, rate_, w_;
};

}  // namespace libration
