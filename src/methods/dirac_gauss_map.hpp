// Gauss methods on the manifold: the unconstrained system of H_M = H + g^T lambda(q, p), which has the motion on the
// manifold among its own, between two kicks in the directions of G^T that hold the result there.
//
//     P_i   = p_0 + k + h sum_j a_ij P'_j,   Q_i = q_0 + h sum_j a_ij Q'_j,   k = -h/2 G(q_0)^T Lambda
//     p_bar = p_0 + k + h sum_j b_j P'_j,    q_1 = q_0 + h sum_j b_j Q'_j,    0 = g(q_1)
//     p_1   = p_bar - G(q_1)^T mu,           0 = G(q_1) H_p(q_1, p_1) + g_t                        [Reich 1996, (31), (34)]
//
// with Q' = H_p + (g^T lambda)_p and P' = -H_q - (g^T lambda)_q. lambda is that of the exact solution, A lambda = r, so
// with A y = g the gradient of g^T lambda is G^T lambda dq plus that of y^T (r - A lambda) at fixed y and lambda.
#pragma once

#include "branch_judge.hpp"
#include "manifold/solve.hpp"
#include "multiplier_slots.hpp"
#include "projection.hpp"
#include "stage_weights.hpp"
#include <libration/kit/map.hpp>
#include <libration/kit/scalars.hpp>

namespace libration {

template <class S>
class DiracGaussMap final : public Map<S> {
  public:
    DiracGaussMap(System<S>& system, std::size_t stages)
        : system_(&system), matrix_(constraint_matrix(system)), weights_(tableau(Family::gauss, stages)),
          d_(system.dimension()), m_(system.constraints()), unknowns_(stages * 2 * d_), stage_(system, *matrix_),
          projection_(system, *matrix_), bar_(d_), past_(unknowns_ + m_), z_(2 * d_, lit<S>(0)),
          sum_(2 * d_, lit<S>(0)), kick_(d_, lit<S>(0)), v_(d_, lit<S>(0)), w_(d_, lit<S>(0)), by_q_(d_, lit<S>(0)),
          by_p_(d_, lit<S>(0)), f_(unknowns_, lit<S>(0)), correction_(unknowns_ + m_, lit<S>(0)), rows_(m_, lit<S>(0)),
          lambda_(m_, lit<S>(0)), y_(m_, lit<S>(0)), floor_(m_, lit<S>(0)), noise_(unknowns_, lit<S>(0)) {}

    void reserve(std::size_t slots) override { past_.reserve(slots); }
    void prepare(const S& t, State<S>& z, Evaluations<S>& evaluations) override {
        z.at.evaluate_constraints(*system_, *matrix_, t, z.q.high, z.p.high, evaluations);
        past_.forget();
    }

    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        const auto x = past_.predict(step.slot);  // increments of the stages, then Lambda; zero where nothing is known
        const auto pass_of = [&](std::span<const S> guess, std::span<S> dx) { return pass(step, z0, guess, dx, z1.q); };
        auto report = iterate(IterationControl{.max_passes = 200}, x, std::span<S>(correction_), pass_of);
        count(report.passes, evaluations);
        if constexpr (OneTrajectory<S>) {
            if (!equal(report.converged, lit<Real<S>>(1)) && find_noise(step, z0, x)) {
                report =
                    iterate(IterationControl{.max_passes = 1000, .patience = 4}, x, std::span<S>(correction_), pass_of);
                count(report.passes, evaluations);
                std::fill(noise_.begin(), noise_.end(), lit<S>(0));
            }
        }

        // The last pass has left the derivatives at the stages, q_1 and the first kick.
        add_scaled<S>(z0.p, lit<S>(1), kick_, bar_);
        weights_.step(bar_, step.h, f_, 2 * d_, d_, z1.p);
        z1.at.evaluate_constraints(*system_, *matrix_, step.t1, z1.q.high, z1.p.high, evaluations);
        const Real<S> one = lit<Real<S>>(1);
        MapReport<S> result{report.converged, report.residual, select(equal(report.converged, one), z1.at.pivot, one)};
        if (step.ending == Ending::on_manifold) {
            result.join(projection_.momentum(step.t1, z1, evaluations));
            if constexpr (OneTrajectory<S>) {
                const bool doubtful = equal(result.converged, one) && nearly_dependent(z0.at, z1.at);
                const auto jump = [&] {
                    return BranchJudge<S>(*system_).jump({step.t, z0.q.high, {}, z0.p.high},
                                                         {step.t1, z1.q.high, {}, z1.p.high});
                };
                if (doubtful && less(lit<Real<S>>(1, 64), jump())) {
                    result.converged = lit<Real<S>>(0);
                }
            }
        }
        return result;
    }

    void accept() override { past_.accept(); }
    void visit(MemoryVisitor<S>& visitor) override { past_.visit(visitor); }

  private:
    // The residual of all equations in floors, and their correction: Newton's method with H_pp for all derivatives of
    // the field, so that only A(q_0) is solved with. [Reich 1996, below (34)]
    Real<S> pass(const Substep<S>& step, const State<S>& z0, std::span<const S> x, std::span<S> dx, PairVector<S>& q1) {
        const S half = lit<S>(1, 2) * step.h;
        kick(z0, half, x.last(m_), kick_);
        for (std::size_t i = 0; i < weights_.stages(); ++i) {
            evaluate_stage(i, step, z0, x);
        }
        Real<S> worst = stage_residuals(step, z0, x, dx);

        weights_.step(z0.q, step.h, f_, 2 * d_, 0, q1);
        const auto dLambda = dx.last(m_);
        system_->constraint(step.t1, q1.high, q1.low, dLambda);
        weights_.step_sizes(f_, sum_);
        const S eps = from_real<S>(epsilon<S>()), least = least_size<S>(std::span<const S>(sum_).first(d_));
        for (std::size_t j = 0; j < d_; ++j) {
            w_[j] = mad(magnitude(step.h), larger_parts(sum_[j], least), S(eps * magnitude(z0.q.high[j])));
        }
        constraint_floors<S>(system_->pattern(), z0.at.G, w_, z0.at.rounding, floor_);
        weights_.step_sizes(noise_, sum_);
        for (std::size_t j = 0; j < d_; ++j) {
            sum_[j] = magnitude(step.h) * sum_[j];
        }
        add_row_sizes(z0.at.G, std::span<const S>(sum_).first(d_), floor_);
        worst = worse(worst, largest_in_floors<S>(dLambda, floor_));

        // dP_i = r_i - h/2 G^T dLambda,  h sum_i b_i G H_pp dP_i = -g(q_1),  dQ_i = s_i + h sum_j a_ij H_pp dP_j
        weights_.step_sum(dx.first(unknowns_), sum_);
        system_->solve_mass(step.t, z0.q.high, z0.p.high, std::span<const S>(sum_).last(d_), w_);
        apply_jacobian<S>(system_->pattern(), z0.at.G, w_, rows_);
        const S scale = lit<S>(1) / (half * step.h);
        for (std::size_t i = 0; i < m_; ++i) {
            dLambda[i] = scale * mad(step.h, rows_[i], dLambda[i]);
        }
        matrix_->solve(z0.at.A, dLambda);
        kick(z0, half, dLambda, w_);
        spread(step, z0, dx);
        return worst;
    }

    // rows += |G| sizes
    void add_row_sizes(std::span<const S> G, std::span<const S> sizes, std::span<S> rows) const {
        const auto& pattern = system_->pattern();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                rows[i] = mad(magnitude(G[e]), sizes[pattern.column[e]], rows[i]);
            }
        }
    }

    // What the last digits of the stages do to the derivatives there. These contain A^-1 twice, so that where
    // constraints are nearly dependent, or a force changes quickly, they are known far worse than their size lets
    // expect. Measured, by moving all coordinates by a last digit up or down, in two ways. False where that leads out
    // of the domain of the formulas.
    bool find_noise(const Substep<S>& step, const State<S>& z0, std::span<const S> x) {
        const S eps = from_real<S>(epsilon<S>());
        for (std::size_t i = 0; i < weights_.stages(); ++i) {
            evaluate_stage(i, step, z0, x);
        }
        moved_.assign(x.begin(), x.end());
        before_.assign(f_.begin(), f_.end());
        Real<S> largest = lit<Real<S>>(0);
        for (std::size_t way = 0; way < 2; ++way) {
            for (std::size_t k = 0; k < unknowns_; ++k) {
                const std::size_t j = k % (2 * d_);
                const S size = magnitude(j < d_ ? z0.q.high[j] : z0.p.high[j - d_]) + magnitude(x[k]);
                const bool up = way == 0 ? k % 2 == 0 : (k / 2) % 2 == 0;
                moved_[k] = x[k] + (up ? eps : S(-eps)) * size;
            }
            for (std::size_t i = 0; i < weights_.stages(); ++i) {
                evaluate_stage(i, step, z0, moved_);
            }
            for (std::size_t k = 0; k < unknowns_; ++k) {
                noise_[k] = larger_parts(noise_[k], magnitude(S(f_[k] - before_[k])));
                largest = worse(largest, real_part(noise_[k]));
            }
        }
        return less(Real<S>(largest - largest), lit<Real<S>>(1));
    }

    // w = -h/2 G(q_0)^T multipliers
    void kick(const State<S>& z0, const S& half, std::span<const S> multipliers, std::span<S> w) {
        std::fill(w.begin(), w.end(), lit<S>(0));
        add_transposed<S>(system_->pattern(), z0.at.G, multipliers, w);
        for (auto& value : w) {
            value = -(half * value);
        }
    }

    Real<S> stage_residuals(const Substep<S>& step, const State<S>& z0, std::span<const S> x, std::span<S> dx) {
        const S eps = from_real<S>(epsilon<S>()), share = lit<S>(1, 4), size = magnitude(step.h);
        Real<S> worst = lit<Real<S>>(0);
        for (std::size_t i = 0; i < weights_.stages(); ++i) {
            const auto residual = dx.subspan(i * 2 * d_, 2 * d_);
            const S* increment = x.data() + i * 2 * d_;
            weights_.stage_sum(i, f_, residual);
            weights_.stage_sizes(i, f_, sum_);
            S q_size = lit<S>(0), p_size = lit<S>(0);  // the largest: a coordinate may rest
            for (std::size_t j = 0; j < d_; ++j) {
                residual[j] = mad(step.h, residual[j], S(-increment[j]));
                residual[d_ + j] = mad(step.h, residual[d_ + j], S(kick_[j] - increment[d_ + j]));
                q_size = larger_parts(q_size, mad(size, sum_[j], S(share * magnitude(z0.q.high[j]))));
                p_size = larger_parts(
                    p_size, mad(size, sum_[d_ + j], S(share * magnitude(z0.p.high[j]) + magnitude(kick_[j]))));
            }
            weights_.stage_sizes(i, noise_, sum_);
            S q_noise = lit<S>(0), p_noise = lit<S>(0);
            for (std::size_t j = 0; j < d_; ++j) {
                q_noise = larger_parts(q_noise, sum_[j]);
                p_noise = larger_parts(p_noise, sum_[d_ + j]);
            }
            for (std::size_t j = 0; j < d_; ++j) {
                worst = worse(worst, floors(residual[j], mad(size, q_noise, S(eps * q_size))));
                worst = worse(worst, floors(residual[d_ + j], mad(size, p_noise, S(eps * p_size))));
            }
        }
        return worst;
    }

    // Adds the kick in w to all dP, then their way to all dQ.
    void spread(const Substep<S>& step, const State<S>& z0, std::span<S> dx) {
        const std::size_t stages = weights_.stages();
        for (std::size_t i = 0; i < stages; ++i) {
            const auto dp = dx.subspan(i * 2 * d_ + d_, d_);
            for (std::size_t j = 0; j < d_; ++j) {
                dp[j] = dp[j] + w_[j];
            }
        }
        for (std::size_t i = 0; i < stages; ++i) {
            weights_.stage_sum(i, dx.first(unknowns_), sum_);
            system_->solve_mass(step.t, z0.q.high, z0.p.high, std::span<const S>(sum_).last(d_), v_);
            // dQ of the other stages is not read by the sums that follow.
            for (std::size_t j = 0; j < d_; ++j) {
                dx[i * 2 * d_ + j] = mad(step.h, v_[j], dx[i * 2 * d_ + j]);
            }
        }
    }

    void evaluate_stage(std::size_t i, const Substep<S>& step, const State<S>& z0, std::span<const S> x) {
        const S* increment = x.data() + i * 2 * d_;
        for (std::size_t j = 0; j < d_; ++j) {
            z_[j] = z0.q.high[j] + (z0.q.low[j] + increment[j]);
            z_[d_ + j] = z0.p.high[j] + (z0.p.low[j] + increment[d_ + j]);
        }
        const auto q = std::span<const S>(z_).first(d_), p = std::span<const S>(z_).last(d_);
        const S t = mad(weights_.c(i), step.h, step.t);
        Evaluations<S> uncounted;
        stage_.evaluate(*system_, *matrix_, t, q, p, uncounted);
        system_->velocity(t, q, p, v_);
        multipliers(t, q, p);
        system_->constraint(t, q, y_);
        matrix_->solve(stage_.A, y_);
        system_->reaction_gradient(t, q, p, y_, lambda_, by_q_, by_p_);
        add_transposed<S>(system_->pattern(), stage_.G, lambda_, stage_.force);
        const auto f = std::span<S>(f_).subspan(i * 2 * d_, 2 * d_);
        for (std::size_t j = 0; j < d_; ++j) {
            f[j] = v_[j] + by_p_[j];
            f[d_ + j] = -(stage_.force[j] + by_q_[j]);
        }
    }

    // lambda of the exact solution, from the stage's derivatives and the velocity in v_. [Jay 1996, (3.1f)]
    void multipliers(const S& t, std::span<const S> q, std::span<const S> p) {
        for (std::size_t j = 0; j < d_; ++j) {
            w_[j] = -stage_.force[j];
        }
        system_->velocity_rate(t, q, p, v_, w_, w_);
        apply_jacobian<S>(system_->pattern(), stage_.G, w_, rows_);
        system_->curvature(t, q, v_, lambda_);
        for (std::size_t i = 0; i < m_; ++i) {
            lambda_[i] = lambda_[i] + rows_[i];
        }
        matrix_->solve(stage_.A, lambda_);
    }

    void count(const Real<S>& corrections, Evaluations<S>& evaluations) const {
        const S passes = lit<S>(1) + from_real<S>(corrections);
        const S evaluated = lit<S>(static_cast<std::int64_t>(weights_.stages())) * passes;
        evaluations.add(Evaluations<S>::force, evaluated);
        evaluations.add(Evaluations<S>::jacobian, evaluated);
        evaluations.add(Evaluations<S>::factorizations, evaluated);
        evaluations.add(Evaluations<S>::constraint, evaluated + passes);
        evaluations.add(Evaluations<S>::newton_iterations, from_real<S>(corrections));
    }

    System<S>* system_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    StageWeights<S> weights_;
    std::size_t d_, m_, unknowns_;
    PositionData<S> stage_;
    Projection<S> projection_;
    PairVector<S> bar_;
    MultiplierSlots<S> past_;
    std::vector<S> z_, sum_, kick_, v_, w_, by_q_, by_p_, f_, correction_, rows_, lambda_, y_, floor_;
    std::vector<S> noise_;           // of the derivatives at the stages, where it is known
    std::vector<S> moved_, before_;  // scratch space of find_noise()
};

}  // namespace libration
