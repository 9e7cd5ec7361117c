// The end of a step: back to g = 0 and to G H_p + g_t = 0, without allocation, with what is known at the new position.
#pragma once

#include "manifold/solve.hpp"
#include <libration/kit/map.hpp>

namespace libration {

template <class S>
class Projection {
  public:
    Projection(System<S>& system, ConstraintMatrix<S>& matrix)
        : system_(&system), matrix_(&matrix), moved_(system.dimension()), mu_(system.constraints(), lit<S>(0)),
          rows_(system.constraints(), lit<S>(0)), floor_(system.constraints(), lit<S>(0)),
          w_(system.dimension(), lit<S>(0)), v_(system.dimension(), lit<S>(0)) {}

    // p - G^T mu with G H_p + g_t = 0 at z.q, where z.at holds G and A. For separable H one solve is exact and
    // iterating would only add round-off; otherwise A, taken near the solution, serves every pass. [HLW03 (6.12); Jay
    // 1996, (3.3d)]
    MapReport<S> momentum(const S& t, State<S>& z, Evaluations<S>& evaluations) {
        MapReport<S> report;
        if (mu_.empty()) {
            return report;
        }
        std::fill(mu_.begin(), mu_.end(), lit<S>(0));
        if (system_->properties().separable) {
            hidden(t, z, z.p.high, mu_);
            matrix_->solve(z.at.A, mu_);
        } else {
            // What is rounded on the way is of the size of the largest velocity, before or after, whatever the terms of
            // G v are.
            system_->velocity(t, z.q.high, z.p.high, v_);
            const S before = largest_velocity();
            const auto pass = [&](std::span<const S> mu, std::span<S> rows) {
                kick(z, mu);
                hidden(t, z, moved_.high, rows);
                find_row_floors(z, S(before + largest_velocity()));
                const auto worst = largest_in_floors<S>(rows, floor_);
                matrix_->solve(z.at.A, rows);
                return worst;
            };
            const auto iteration = iterate(IterationControl{}, std::span<S>(mu_), std::span<S>(rows_), pass);
            report.converged = iteration.converged;
            evaluations.add(Evaluations<S>::newton_iterations, from_real<S>(iteration.passes));
        }
        kick(z, mu_);
        std::swap(moved_, z.p);
        return report;
    }

    // q - H_pp G^T mu with g = 0, where G, A and H_pp belong to the position that z.q has on entry and z.at describes.
    // [Jay 1996, section 5]
    MapReport<S> position(const S& t, State<S>& z, Evaluations<S>& evaluations) {
        MapReport<S> report;
        if (mu_.empty()) {
            return report;
        }
        std::fill(mu_.begin(), mu_.end(), lit<S>(0));
        S largest = lit<S>(0);  // a coordinate may be zero; what moves it is of the size of the others
        for (const auto& q : z.q.high) {
            largest = larger_parts(largest, magnitude(q));
        }
        std::fill(w_.begin(), w_.end(), largest);
        constraint_floors<S>(system_->pattern(), z.at.G, w_, z.at.rounding, floor_);
        const auto shift = [&](std::span<const S> mu) {
            std::fill(w_.begin(), w_.end(), lit<S>(0));
            add_transposed<S>(system_->pattern(), z.at.G, mu, w_);
            system_->solve_mass(t, z.q.high, z.p.high, w_, v_);
            add_scaled<S>(z.q, lit<S>(-1), v_, moved_);
        };
        const auto iteration = iterate(IterationControl{}, std::span<S>(mu_), std::span<S>(rows_),
                                       [&](std::span<const S> mu, std::span<S> rows) {
                                           shift(mu);
                                           system_->constraint(t, moved_.high, moved_.low, rows);
                                           const auto worst = largest_in_floors<S>(rows, floor_);
                                           matrix_->solve(z.at.A, rows);
                                           return worst;
                                       });
        shift(mu_);
        std::swap(moved_, z.q);
        evaluations.add(Evaluations<S>::constraint, lit<S>(1) + from_real<S>(iteration.passes));
        evaluations.add(Evaluations<S>::newton_iterations, from_real<S>(iteration.passes));
        report.converged = iteration.converged;
        report.residual = iteration.residual;
        return report;
    }

    // What the last momentum() took away from p: G^T mu.
    [[nodiscard]] std::span<const S> kick() const { return w_; }

  private:
    void hidden(const S& t, const State<S>& z, std::span<const S> p, std::span<S> rows) {
        system_->velocity(t, z.q.high, p, v_);
        apply_jacobian<S>(system_->pattern(), z.at.G, v_, rows);
        system_->constraint_rate(t, z.q.high, floor_);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i] = rows[i] + floor_[i];
        }
    }

    void kick(const State<S>& z, std::span<const S> mu) {
        std::fill(w_.begin(), w_.end(), lit<S>(0));
        add_transposed<S>(system_->pattern(), z.at.G, mu, w_);
        add_scaled<S>(z.p, lit<S>(-1), w_, moved_);
    }

    [[nodiscard]] S largest_velocity() const {
        S largest = lit<S>(0);
        for (const auto& v : v_) {
            largest = larger_parts(largest, magnitude(v));
        }
        return largest;
    }

    // The round-off of G v.
    void find_row_floors(const State<S>& z, const S& velocity) {
        const auto& pattern = system_->pattern();
        for (std::size_t i = 0; i < floor_.size(); ++i) {
            S sum = lit<S>(0);
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                sum = mad(magnitude(z.at.G[e]), velocity, sum);
            }
            floor_[i] = from_real<S>(epsilon<S>()) * sum;
        }
    }

    System<S>* system_;
    ConstraintMatrix<S>* matrix_;
    PairVector<S> moved_;
    std::vector<S> mu_, rows_, floor_, w_, v_;
};

}  // namespace libration
